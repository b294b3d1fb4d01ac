package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** H-17: where endpoints may lead. */
class EndpointAddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.0.1",
                "169.254.169.254.",
                "169.254.43518",
                "2852039166",
                "0xa9fea9fe",
                "0xA9.0xFE.0xA9.0xFE",
                "0251.0376.0251.0376",
                "[::ffff:169.254.169.254]",
                "::ffff:a9fe:a9fe",
                "::169.254.169.254",
                "64:ff9b::169.254.169.254",
                "2002:a9fe:a9fe::1",
                "fe80::1",
                "[fe80::1%25eth0]",
                "febf::1",
                "fd00:ec2::254",
                "fd20:ce::254",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
            })
    void metadataServicesAreRefusedInEverySpelling(String host) {
        assertThat(EndpointAddresses.DEFAULT.objection(host))
                .get()
                .asString()
                .contains("metadata service", "--endpoint-allow");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "::1",
                "0.0.0.0",
                "10.0.0.5",
                "192.168.1.1",
                "fd00::1",
                "169.253.255.255",
                "169.255.0.0",
                "fec0::1",
                "1.1.1.1",
                "2606:4700::1111",
                "mcp.example.com",
                "",
            })
    void everythingElseIsAllowedByDefault(String host) {
        assertThat(EndpointAddresses.DEFAULT.objection(host)).isEmpty();
    }

    @Test
    void moreIsDeniedByGroupNetworkAndAddress() {
        EndpointAddresses addresses =
                new EndpointAddresses(
                        List.of("private", "loopback", "203.0.113.0/25", "2001:db8::1"), List.of());

        for (String denied :
                List.of(
                        "10.255.0.1",
                        "172.31.0.1",
                        "192.168.0.1",
                        "100.64.0.1",
                        "fd12::1",
                        "127.1.2.3",
                        "::1",
                        "0.0.0.0",
                        "203.0.113.127",
                        "2001:db8::1")) {
            assertThat(addresses.objection(denied)).as(denied).isPresent();
        }
        for (String allowed : List.of("172.32.0.1", "203.0.113.128", "2001:db8::2", "8.8.8.8")) {
            assertThat(addresses.objection(allowed)).as(allowed).isEmpty();
        }
        assertThat(addresses.objection("10.0.0.1").orElseThrow())
                .contains("10.0.0.1", "\"private\"", "--endpoint-allow 10.0.0.1");
    }

    @Test
    void whatIsAllowedIsNotDenied() {
        EndpointAddresses addresses =
                new EndpointAddresses(
                        List.of("private"), List.of("10.1.0.0/16", "169.254.169.254"));

        assertThat(addresses.objection("10.1.2.3")).isEmpty();
        assertThat(addresses.objection("::ffff:169.254.169.254")).isEmpty();
        assertThat(addresses.objection("10.2.0.1")).isPresent();
        assertThat(addresses.objection("169.254.169.253")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"example.com", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "privat", ""})
    void listMustConsistOfAddresses(String entry) {
        assertThatThrownBy(() -> new EndpointAddresses(List.of(entry), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("\"" + entry + "\"", "10.0.0.0/8");
    }

    /** Answers one look-up after the other, as a name server does that rebinds. */
    private static DnsResolver answering(String... lists) {
        Deque<String> answers = new ArrayDeque<>(List.of(lists));
        return new DnsResolver() {
            @Override
            public InetAddress[] resolve(String host) {
                return List.of(answers.removeFirst().split(",")).stream()
                        .map(InetAddress::ofLiteral)
                        .toArray(InetAddress[]::new);
            }

            @Override
            public String resolveCanonicalHostname(String host) {
                return host;
            }
        };
    }

    @Test
    void onlyAddressesThatWereCheckedAreConnectedTo() throws Exception {
        EndpointResolver resolver =
                new EndpointResolver(
                        answering("203.0.113.1", "169.254.169.254,203.0.113.1", "169.254.169.254"),
                        EndpointAddresses.DEFAULT);

        assertThat(resolver.resolve("rebound.example", 80))
                .extracting(address -> address.getAddress().getHostAddress())
                .containsExactly("203.0.113.1");
        assertThat(resolver.resolve("rebound.example"))
                .containsExactly(InetAddress.ofLiteral("203.0.113.1"));
        assertThatThrownBy(() -> resolver.resolve("rebound.example", 80))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContainingAll(
                        "\"rebound.example\" has the address 169.254.169.254",
                        "--endpoint-allow 169.254.169.254");
    }
}
