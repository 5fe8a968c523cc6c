"""What gunicorn imports: ``service.wsgi:app``, the application with the settings around it."""

import os

from service.app import create_app
from service.settings import for_serving, load

app = create_app(for_serving(load(os.environ)))
