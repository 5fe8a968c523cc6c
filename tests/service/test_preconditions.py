"""A client that has the newest representation is told so, and nothing else."""

import pytest
from flask import Flask

from service.errors import Refusal
from service.preconditions import SCHEMA_REVISION, etag, expected_versions, is_expected
from tests.service.framed import GAME, echoing, framed_app

TAG = f'"12-0-{SCHEMA_REVISION}"'


@pytest.fixture(scope="module")
def client():
    app, _ = framed_app(echoing())
    return app.test_client()


class TestAnETag:
    def test_is_strong_and_made_of_version_viewer_and_revision(self):
        assert etag(12, "0") == TAG
        assert etag(12, "s") != etag(12, "0")
        assert etag(13, "0") != etag(12, "0")

    def test_comes_with_the_representation(self, client):
        answer = client.get(GAME)
        assert answer.status_code == 200
        assert answer.headers["ETag"] == TAG
        assert answer.headers["Vary"] == "Authorization, Origin"
        assert answer.headers["Cache-Control"] == "private, no-cache"


class TestIfNoneMatch:
    @pytest.mark.parametrize(
        "header", [TAG, f"W/{TAG}", f'"1-0-1", {TAG}', f'W/"x",W/{TAG}', "*", f' {TAG} ,"y"']
    )
    def test_that_names_the_tag_is_answered_not_modified(self, client, header):
        answer = client.get(GAME, headers={"If-None-Match": header})
        assert answer.status_code == 304
        assert answer.data == b""
        assert answer.headers["ETag"] == TAG
        assert answer.headers["Vary"] == "Authorization, Origin"
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Content-Type" not in answer.headers

    @pytest.mark.parametrize("header", ['"11-0-1"', '"12-1-1"', "", '"', "W/", '"*"', '"12"'])
    def test_that_does_not_gets_the_whole(self, client, header):
        answer = client.get(GAME, headers={"If-None-Match": header})
        assert answer.status_code == 200
        assert answer.json["id"] == GAME.rsplit("/", 1)[1]


def named(header):
    headers = {} if header is None else {"If-Match": header}
    with Flask("preconditions").test_request_context("/", headers=headers):
        return expected_versions("e")


class TestIfMatch:
    @pytest.mark.parametrize(
        ("header", "versions"),
        [
            ('"12-e-1"', {12}),
            ('"12-e-1", "13-e-1"', {12, 13}),
            (' "12-e-1" ', {12}),
            ('W/"12-e-1"', set()),
            ('W/"12-e-1", "13-e-1"', {13}),
            ('"12-s-1"', set()),
            ('"12-e-2"', set()),
            ('"012-e-1"', set()),
            ('"0-e-1"', set()),
            ('"12-e-1x"', set()),
            ("nonsense", set()),
            ("", set()),
            ('"*"', set()),
        ],
    )
    def test_names_the_versions_of_our_strong_tags(self, header, versions):
        assert named(header) == versions

    def test_may_allow_any(self):
        assert named("*") is None

    def test_has_to_be_there(self):
        with pytest.raises(Refusal) as caught:
            named(None)
        assert caught.value.kind.code == "version_required"


def expects(header) -> bool:
    headers = {} if header is None else {"If-Match": header}
    with Flask("preconditions").test_request_context("/", headers=headers):
        return is_expected(TAG)


class TestAnIfMatchThatMayBeMissing:
    @pytest.mark.parametrize("header", [None, TAG, f'"x", {TAG}', "*"])
    def test_that_names_the_tag_or_is_not_sent_is_met(self, header):
        assert expects(header)

    @pytest.mark.parametrize("header", ['"11-0-1"', f"W/{TAG}", "", '"', '"*"', '"12"'])
    def test_that_names_another_one_or_a_weak_one_is_not(self, header):
        assert not expects(header)
