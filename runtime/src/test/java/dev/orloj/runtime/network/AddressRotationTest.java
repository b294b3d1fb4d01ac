package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.testkit.FakeNames;

import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

class AddressRotationTest {

    private static final String HOST = "mcp.test";

    private final FakeNames names = new FakeNames("192.0.2.1", "192.0.2.2", "192.0.2.3");
    private final AddressRotation rotation =
            new AddressRotation(new EndpointResolver(names, EndpointAddresses.DEFAULT));

    private List<String> next() throws UnknownHostException {
        return rotation.next(HOST).stream().map(InetAddress::getHostAddress).toList();
    }

    @Test
    void turnsBeginAtEachAddressEquallyOftenInAnyOrderOfTheNameServer() throws Exception {
        List<String> first = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            first.add(next().getFirst());
        }

        for (String address : List.of("192.0.2.1", "192.0.2.2", "192.0.2.3")) {
            assertThat(first).filteredOn(address::equals).hasSize(2);
        }
        assertThat(next()).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.3");
    }

    @Test
    void addressThatRefusedIsLast() throws Exception {
        next();
        rotation.refused(HOST, FakeNames.address("192.0.2.2"));

        for (int i = 0; i < 3; i++) {
            assertThat(next()).hasSize(3).endsWith("192.0.2.2");
        }
    }

    @Test
    void addressThatLeftTheNameServerIsNew() throws Exception {
        next();
        rotation.refused(HOST, FakeNames.address("192.0.2.2"));
        names.set("192.0.2.1", "192.0.2.3");
        assertThat(next()).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.3");

        names.set("192.0.2.1", "192.0.2.2");

        assertThat(List.of(next().getFirst(), next().getFirst()))
                .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    @Test
    void familyThatTheResolverPrefersStaysFirst() throws Exception {
        AddressRotation both =
                new AddressRotation(
                        new EndpointResolver(new PreferringIpv6(), EndpointAddresses.DEFAULT));

        for (int i = 0; i < 4; i++) {
            assertThat(both.next(HOST).getLast()).isEqualTo(FakeNames.address("192.0.2.1"));
        }
    }

    private static final class PreferringIpv6 implements DnsResolver {

        @Override
        public InetAddress[] resolve(String host) {
            return new InetAddress[] {
                FakeNames.address("2001:db8::2"),
                FakeNames.address("192.0.2.1"),
                FakeNames.address("2001:db8::1")
            };
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    @Test
    void addressesThatEndpointsMustNotUseAreNoneOfTheHost() throws Exception {
        names.set("169.254.169.254", "192.0.2.1");

        assertThat(next()).containsExactly("192.0.2.1");
        assertThat(rotation.hasOther(HOST, FakeNames.address("192.0.2.1"))).isFalse();

        names.set("169.254.169.254");

        assertThatThrownBy(this::next)
                .isInstanceOf(RefusedAddressException.class)
                .hasMessageContaining("169.254.169.254");
    }

    @Test
    void hostThatIsNotKnownHasNoOtherAddress() {
        names.set();

        assertThat(rotation.hasOther(HOST, FakeNames.address("192.0.2.1"))).isFalse();
        assertThatThrownBy(this::next).isInstanceOf(UnknownHostException.class);
    }
}
