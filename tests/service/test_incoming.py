"""Bodies and queries are read strictly: what can be read in two ways is refused."""

import json

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from service.errors import Refusal
from service.incoming import MAX_DEPTH, parse_json, read_body, read_query
from service.schemas.portals import ABANDONMENT_REQUEST
from service.schemas.score_sheets import DELETION_QUERY
from tests.service.framed import GAME, echoing, framed_app


@pytest.fixture(scope="module")
def client():
    app, _ = framed_app(echoing())
    return app.test_client()


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(-1e15, 1e15)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=12,
)


class TestJson:
    @given(values)
    def test_is_read_as_it_was_meant(self, value):
        assert parse_json(json.dumps(value).encode()) == value
        assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b" ",
            b"{",
            b"{'a':1}",
            b'{"a":1}x',
            b"\xff",
            b'{"a":"\xff"}',
            b"\xef\xbb\xbf{}",
            b"NaN",
            b"-Infinity",
            b"1e400",
            b'"\\ud800"',
            b'{"\\udc00":1}',
            b'{"a":1,"a":1}',
            b'{"x":{"a":1,"b":":","a":2}}',
            b'[{"a":1,"\\u0061":2}]',
            b"18446744073709551616",
            b"-9223372036854775809",
            b"9" * 400,
            b"9" * 5000,
            b'{"a":' + b"1" * 21 + b"}",
            nested(MAX_DEPTH + 1),
            nested(990),
            b"[" * 100_000,
            b'{"a":' * 100_000,
        ],
        ids=lambda text: repr(text[:24]),
    )
    def test_is_refused_where_it_is_not_clear(self, text):
        with pytest.raises(Refusal) as refused:
            parse_json(text)
        assert refused.value.kind.code == "malformed_json"
        assert refused.value.detail

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            (nested(MAX_DEPTH), None),
            (b'{"a":":","b":{"a":1}}', {"a": ":", "b": {"a": 1}}),
            (b"18446744073709551615", 2**64 - 1),
            (b"-9223372036854775808", -(2**63)),
            (b"1e30", 1e30),
            (b'"\\u0000"', "\0"),
            (b'"\\ud83d\\ude00"', "\U0001f600"),
        ],
        ids=lambda part: repr(part)[:24],
    )
    def test_is_read_up_to_each_limit(self, text, value):
        assert value is None or parse_json(text) == value


class TestABody:
    def test_is_read_by_its_schema(self, client):
        answer = client.post(f"{GAME}/joins", json={"join_code": "abc", "seat": 1})
        assert answer.json == {"join_code": "abc", "seat": 1}

    def test_may_be_left_away_where_it_is_optional(self):
        with Flask("incoming").test_request_context("/", method="POST"):
            assert read_body(ABANDONMENT_REQUEST, needed=False) == {}
        sent = {"reason_code": "x"}
        with Flask("incoming").test_request_context("/", method="POST", json=sent):
            assert read_body(ABANDONMENT_REQUEST, needed=False) == sent

    def test_that_is_missing_is_no_json(self, client):
        answer = client.post(f"{GAME}/joins")
        assert (answer.status_code, answer.json["code"]) == (400, "malformed_json")

    @pytest.mark.parametrize(
        ("body", "errors"),
        [
            ({}, [{"pointer": "/join_code", "code": "required"}]),
            ([], [{"pointer": "", "code": "wrong_type"}]),
            (None, [{"pointer": "", "code": "wrong_type"}]),
            ("x", [{"pointer": "", "code": "wrong_type"}]),
            (
                {"join_code": "a", "seat": 4},
                [{"pointer": "/seat", "code": "out_of_range", "params": {"min": 0, "max": 3}}],
            ),
            ({"join_code": "a", "seat": 1.0}, [{"pointer": "/seat", "code": "wrong_type"}]),
            ({"join_code": "a", "seat": "1"}, [{"pointer": "/seat", "code": "wrong_type"}]),
            ({"join_code": "a", "seat": True}, [{"pointer": "/seat", "code": "wrong_type"}]),
            ({"join_code": "a", "seat": None}, [{"pointer": "/seat", "code": "wrong_type"}]),
            ({"join_code": "a", "naem": "x"}, [{"pointer": "/naem", "code": "unknown_field"}]),
            ({"join_code": "a", "a/b~c": 1}, [{"pointer": "/a~1b~0c", "code": "unknown_field"}]),
            ({"join_code": "a", "name": "a\0b"}, [{"pointer": "/name", "code": "bad_text"}]),
            ({"join_code": "a", "name": "a\u2028"}, [{"pointer": "/name", "code": "bad_text"}]),
            (
                {"join_code": "a", "name": "x" * 61},
                [{"pointer": "/name", "code": "too_long", "params": {"max": 60}}],
            ),
        ],
        ids=repr,
    )
    def test_is_refused_with_a_pointer_to_each_fault(self, client, body, errors):
        answer = client.post(
            f"{GAME}/joins", data=json.dumps(body), content_type="application/json"
        )
        assert answer.status_code == 422
        assert answer.json["errors"] == errors


class TestAQuery:
    def test_has_its_defaults(self, client):
        assert client.get(f"{GAME}/moves").json == {"limit": 20}

    def test_is_read_by_its_schema(self, client):
        answer = client.get(f"{GAME}/moves?limit=7&hand=2&cursor=x")
        assert answer.json == {"limit": 7, "hand": 2, "cursor": "x"}

    @pytest.mark.parametrize(
        ("query", "code"),
        [
            ("limit=abc", "wrong_type"),
            ("limit=", "wrong_type"),
            ("limit=1_0", "wrong_type"),
            ("limit=1.5", "wrong_type"),
            ("limit=%2B1", "wrong_type"),
            ("limit= 1", "wrong_type"),
            ("limit=1%0a", "wrong_type"),
            ("limit=٣", "wrong_type"),
            ("limit=😀", "wrong_type"),
            ("limit=" + "9" * 20, "wrong_type"),
            ("limit=" + "9" * 5000, "wrong_type"),
            ("limit=%ff", "wrong_type"),
            ("limit=-1", "out_of_range"),
            ("limit=0", "out_of_range"),
            ("limit=101", "out_of_range"),
            ("limit=1&limit=2", "wrong_type"),
        ],
    )
    def test_is_refused_with_a_pointer(self, client, query, code):
        answer = client.get(f"{GAME}/moves?{query}")
        assert answer.status_code == 422
        assert [(e["pointer"], e["code"]) for e in answer.json["errors"]] == [
            ("#query/limit", code)
        ]

    def test_may_send_a_list_item_by_item(self):
        with Flask("incoming").test_request_context("/?confirmed_by=Ada&by=Bob&confirmed_by=Cy,Di"):
            read = read_query(DELETION_QUERY)
        assert read == {"by": "Bob", "confirmed_by": ["Ada", "Cy,Di"]}

    def test_does_not_pass_over_what_is_misspelt(self, client):
        answer = client.get(f"{GAME}/moves?limti=3")
        assert answer.json["errors"] == [{"pointer": "#query/limti", "code": "unknown_field"}]
