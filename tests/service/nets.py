"""A net of the tests' own: it says what names stand for, and writes down every attempt to connect.

Whatever address is connected to, the connection goes to a receiver on the loopback interface.
"""

import ipaddress
import socket
import ssl
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PUBLIC = "93.184.215.14"
"""An address out in the open, to which nothing is ever sent."""


class Net:
    """``names`` has the addresses of each name; one that is not there does not resolve.

    A name whose addresses are a list of lists resolves to the next one of them each time.
    """

    def __init__(self, names: Mapping[str, Sequence] = (), port: int = 0) -> None:
        self.names = dict(names)
        self.port = port
        self.asked: list[str] = []
        self.connected: list[tuple[str, int]] = []

    def resolve(self, name: str, _port: int) -> Sequence[str]:
        self.asked.append(name)
        if name not in self.names:
            raise socket.gaierror("unknown")
        found = self.names[name]
        return found.pop(0) if found and isinstance(found[0], list) else found

    def connect(self, address, port: int, seconds: float) -> socket.socket:
        self.connected.append((str(address), port))
        assert isinstance(address, ipaddress.IPv4Address | ipaddress.IPv6Address)
        return socket.create_connection(("127.0.0.1", self.port), timeout=seconds)


def certificate(folder: Path, *names: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return what serves TLS as ``names`` with a certificate of its own, and what trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(each) for each in names]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "tls.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(path)
    trusting = ssl.create_default_context(cafile=str(path))
    return serving, trusting
