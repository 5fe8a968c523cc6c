import ipaddress
import socket
import threading
import time
from dataclasses import replace

import pytest

from service import webhook_sending
from service.storage.deliveries import Outcome
from service.webhook_addresses import Policy
from service.webhook_sending import Sender
from tests.cases.inner_addresses import OPEN, RESOLVED, URLS
from tests.service.nets import PUBLIC, Net, certificate
from tests.service.webhook_receiver import Receiver

NAME = "receiver.example.org"
URL = f"https://{NAME}/hook"
LOOPBACK = Policy((ipaddress.ip_network("127.0.0.0/8"),))
DELIVERED = Outcome(True, 204)
SECONDS = 0.5


def sender(net, policy=None, seconds=5.0, **more):
    return Sender(policy or Policy(), seconds, net.resolve, net.connect, **more)


def failed(code):
    return Outcome(False, failure_code=code)


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


def local(receiver, seconds=5.0):
    """A sender to the receiver over plain HTTP, as an operator may allow it."""
    return Sender(LOOPBACK, seconds), receiver.url


class TestAnInnerAddress:
    """Nothing is sent there: no connection is even tried."""

    @pytest.mark.parametrize("url", URLS)
    def test_is_not_connected_to_by_its_url(self, url):
        net = Net({NAME: [PUBLIC], "metadata": ["169.254.169.254"]})
        assert sender(net).post(url, b"{}", {}) == failed("url_not_allowed")
        assert (net.asked, net.connected) == ([], [])

    @pytest.mark.parametrize("address", RESOLVED)
    def test_is_not_connected_to_by_a_name(self, address):
        net = Net({NAME: [address]})
        assert sender(net).post(URL, b"{}", {}) == failed("address_not_allowed")
        assert net.connected == []

    @pytest.mark.parametrize("address", RESOLVED)
    def test_is_not_connected_to_by_a_name_that_has_a_good_one_as_well(self, address):
        for addresses in ([PUBLIC, address], [address, PUBLIC]):
            net = Net({NAME: addresses})
            assert sender(net).post(URL, b"{}", {}) == failed("address_not_allowed")
            assert net.connected == []

    def test_is_not_connected_to_without_tls_though_its_neighbours_may_be(self):
        net = Net({NAME: [PUBLIC], "inner": ["10.0.0.1"]})
        for host in (NAME, "inner"):
            outcome = sender(net, LOOPBACK).post(f"http://{host}/", b"{}", {})
            assert outcome == failed("address_not_allowed")
        assert net.connected == []


class TestAName:
    def test_that_changes_its_mind_gains_nothing(self, receiver):
        """It is asked once, and the very address that was checked is connected to."""
        net = Net({NAME: [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]}, receiver.port)
        sender(net).post(URL, b"{}", {})
        assert net.asked == [NAME]
        assert net.connected == [(PUBLIC, 443)]

    def test_that_nobody_knows_is_told(self):
        assert sender(Net()).post(URL, b"{}", {}) == failed("name_not_resolved")
        assert sender(Net({NAME: []})).post(URL, b"{}", {}) == failed("name_not_resolved")
        assert sender(Net({NAME: ["nonsense"]})).post(URL, b"{}", {}) == failed("name_not_resolved")

    def test_is_tried_at_two_of_its_addresses(self):
        net = Net({NAME: list(OPEN)})

        def refuse(address, port, _seconds):
            net.connected.append((str(address), port))
            raise ConnectionRefusedError

        refusing = replace(sender(net), connect=refuse)
        assert refusing.post(URL, b"{}", {}) == failed("connection_failed")
        assert net.connected == [(OPEN[0], 443), (OPEN[1], 443)]


class TestTls:
    @pytest.fixture
    def secure(self, receiver, tmp_path):
        """A receiver that speaks TLS as the name, and a sender that trusts it."""
        serving, trusting = certificate(tmp_path, NAME)
        self.names = []
        serving.sni_callback = lambda _sock, name, _context: self.names.append(name)
        server = receiver._server
        server.socket = serving.wrap_socket(server.socket, server_side=True)
        net = Net({NAME: [PUBLIC], "other.example.org": [PUBLIC]}, receiver.port)
        return sender(net, trust=lambda: trusting)

    def test_is_for_the_name_though_an_address_is_connected_to(self, secure, receiver):
        assert secure.post(f"https://{NAME}:8443/hook?a=b", b"{}", {"x": "y"}) == DELIVERED
        [got] = receiver.got
        assert self.names == [NAME]
        assert got.headers["host"] == f"{NAME}:8443"
        assert (got.path, got.body, got.headers["x"]) == ("/hook?a=b", b"{}", "y")

    def test_leaves_its_usual_port_out_of_the_host(self, secure, receiver):
        assert secure.post(URL, b"{}", {}) == DELIVERED
        assert receiver.got[0].headers["host"] == NAME

    def test_refuses_who_has_no_certificate_of_the_name(self, secure, receiver):
        outcome = secure.post("https://other.example.org/hook", b"{}", {})
        assert outcome == failed("tls_failed")
        assert receiver.got == []

    def test_refuses_who_is_not_trusted(self, secure, receiver):
        strict = replace(secure, trust=webhook_sending.system_trust)
        assert strict.post(URL, b"{}", {}) == failed("tls_failed")
        assert receiver.got == []


def write(text):
    """An answer that is this text, and nothing more."""
    return lambda handler: handler.wfile.write(text)


class TestAnAnswer:
    @pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
    def test_of_2xx_is_a_delivery(self, receiver, status):
        receiver.answers = [status]
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == Outcome(True, status)

    @pytest.mark.parametrize("status", [304, 400, 404, 410, 429, 500, 503])
    def test_of_another_status_is_none(self, receiver, status):
        receiver.answers = [status]
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == Outcome(False, status)

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_that_points_elsewhere_is_not_followed(self, receiver, status):
        elsewhere = b"HTTP/1.1 %d Elsewhere\r\nLocation: %s\r\n\r\n" % (
            status,
            receiver.url.encode(),
        )
        receiver.answers = [write(elsewhere)]
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == Outcome(False, status)
        assert len(receiver.got) == 1

    def test_of_many_bytes_is_cut(self, receiver):
        cut = threading.Event()

        def pour(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
            try:
                for _ in range(10_000):
                    handler.connection.sendall(b"x" * 100_000)
            except OSError:
                cut.set()

        receiver.answers = [pour]
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == Outcome(True, 200)
        assert cut.wait(30)

    @pytest.mark.parametrize("text", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n"])
    def test_that_is_none_is_told(self, receiver, text):
        receiver.answers = [write(text)]
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == failed("no_answer")

    def test_with_endless_heads_is_no_answer(self, receiver):
        receiver.answers = [write(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n")]
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == failed("no_answer")


class TestASlowReceiver:
    """It is given up after the time that is set, however it is slow."""

    def took(self, sending, url):
        begun = time.monotonic()
        outcome = sending.post(url, b"{}", {})
        assert time.monotonic() - begun < SECONDS + 20  # it was going to take a minute
        return outcome

    def test_that_says_nothing(self, receiver):
        over = threading.Event()
        receiver.answers = [lambda handler: over.wait(60)]
        assert self.took(*local(receiver, SECONDS)) == failed("timed_out")
        over.set()

    def test_that_dribbles_its_head(self, receiver):
        def dribble(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for _ in range(1000):
                handler.wfile.write(b"A: b\r\n"[:1])
                time.sleep(0.05)

        receiver.answers = [dribble]
        assert self.took(*local(receiver, SECONDS)) == failed("timed_out")

    def test_that_goes_on_saying_100(self, receiver):
        def go_on(handler):
            for _ in range(1000):
                handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                time.sleep(0.05)

        receiver.answers = [go_on]
        assert self.took(*local(receiver, SECONDS)) == failed("timed_out")

    def test_that_dribbles_its_body_has_said_all_that_counts(self, receiver):
        def dribble(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
            for _ in range(1000):
                handler.wfile.write(b"x")
                time.sleep(0.05)

        receiver.answers = [dribble]
        assert self.took(*local(receiver, SECONDS)) == Outcome(True, 200)

    def test_that_shakes_no_hands(self):
        """It takes the connection, and says nothing in TLS."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            net = Net({NAME: [PUBLIC]}, silent.getsockname()[1])
            assert self.took(sender(net, seconds=SECONDS), URL) == failed("timed_out")

    def test_that_is_not_there(self):
        with socket.create_server(("127.0.0.1", 0)) as gone:
            port = gone.getsockname()[1]
        sending = Sender(LOOPBACK, SECONDS)
        assert sending.post(f"http://127.0.0.1:{port}/", b"{}", {}) == failed("connection_failed")


class TestTheSystemsOwn:
    def test_resolver_and_connector_are_used_unless_others_are_given(self):
        sending = Sender(Policy(), 1)
        assert (sending.resolve, sending.connect) == (
            webhook_sending.resolve,
            webhook_sending.connect,
        )
        assert set(webhook_sending.resolve("127.0.0.1", 443)) == {"127.0.0.1"}

    def test_proxy_is_not_asked(self, receiver, monkeypatch):
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        sending, url = local(receiver)
        assert sending.post(url, b"{}", {}) == DELIVERED
