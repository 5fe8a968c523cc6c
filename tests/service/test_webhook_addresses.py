import ipaddress

import pytest

from service.webhook_addresses import Policy, UrlNotAllowed, is_open, parse_url
from tests.cases.inner_addresses import OPEN, RESOLVED, URLS

STRICT = Policy()
OWN = Policy((ipaddress.ip_network("10.1.0.0/16"), ipaddress.ip_network("::1/128")))


class TestAnAddress:
    @pytest.mark.parametrize("text", OPEN)
    def test_out_in_the_open_is_open(self, text):
        assert is_open(ipaddress.ip_address(text))

    @pytest.mark.parametrize("text", RESOLVED)
    def test_inside_is_not(self, text):
        assert not is_open(ipaddress.ip_address(text))

    def test_is_never_open_if_the_registries_say_that_it_is_not_global(self):
        for first in range(0, 2**32, 2**32 // 4099):
            address = ipaddress.IPv4Address(first)
            assert not is_open(address) or (address.is_global and not address.is_multicast)


class TestAUrl:
    @pytest.mark.parametrize("url", URLS)
    def test_that_leads_inside_or_can_be_misread_is_refused(self, url):
        with pytest.raises(UrlNotAllowed):
            STRICT.target(url)

    def test_is_taken_apart(self):
        target = STRICT.target("https://Receiver.Example.org:8443/hooks/gin?room=7")
        assert (target.secure, target.host, target.port) == (True, "receiver.example.org", 8443)
        assert (target.path, target.address) == ("/hooks/gin?room=7", None)

    @pytest.mark.parametrize(
        ("url", "path"),
        [
            ("https://example.org", "/"),
            ("https://example.org/", "/"),
            ("https://example.org?a=b/c?d", "/?a=b/c?d"),
            ("https://example.org/a%20b/~c;d", "/a%20b/~c;d"),
        ],
    )
    def test_has_a_path(self, url, path):
        assert STRICT.target(url).path == path

    def test_may_be_an_address_out_in_the_open_in_its_usual_form(self):
        assert str(STRICT.target("https://8.8.8.8/").address) == "8.8.8.8"
        target = STRICT.target("https://[2606:4700:4700::1111]/")
        assert (str(target.address), target.host) == ("2606:4700:4700::1111",) * 2

    def test_is_not_endless(self):
        with pytest.raises(UrlNotAllowed):
            parse_url("https://example.org/" + "a" * 2000)


class TestNetworksOfTheOperator:
    def test_may_be_sent_to_with_tls_and_without(self):
        for scheme in ("http", "https"):
            assert OWN.target(f"{scheme}://10.1.2.3:8080/").port == 8080
            assert OWN.target(f"{scheme}://[::1]/").host == "::1"

    def test_let_nobody_into_others(self):
        for url in ("https://10.2.0.1/", "http://8.8.8.8/", "https://127.0.0.1/"):
            with pytest.raises(UrlNotAllowed):
                OWN.target(url)

    def test_may_have_names_of_which_nobody_outside_knows(self):
        assert OWN.target("http://receiver/").host == "receiver"
        assert OWN.target("https://receiver.internal/").host == "receiver.internal"

    def test_are_not_reached_by_an_address_within_another_one(self):
        own = Policy((ipaddress.ip_network("127.0.0.0/8"),))
        with pytest.raises(UrlNotAllowed):
            own.target("https://[::ffff:127.0.0.1]/")

    @pytest.mark.parametrize(
        "url",
        [
            "https://2130706433/",
            "https://user@10.1.2.3/",
            "https://10.1.2.3:22/",
            "https://10.1.2.3./",
        ],
    )
    def test_are_named_in_the_usual_form_too(self, url):
        with pytest.raises(UrlNotAllowed):
            OWN.target(url)
