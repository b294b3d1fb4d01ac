package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class AllowedHostsTest {

    private final AllowedHosts hosts =
            new AllowedHosts(List.of("api.example.com", "*.b.example.com", "c.example.com:8443"));

    @ParameterizedTest
    @CsvSource({
        "api.example.com, 443, true",
        "API.example.COM, 80, true",
        "api.example.com., 443, true",
        "api.example.com, 22, false",
        "xapi.example.com, 443, false",
        "api.example.com.evil.org, 443, false",
        "x.b.example.com, 443, true",
        "y.x.b.example.com, 443, true",
        "b.example.com, 443, false",
        "xb.example.com, 443, false",
        "c.example.com, 8443, true",
        "c.example.com, 443, false",
    })
    void onlyWhatIsListedIsAllowed(String host, int port, boolean allowed) {
        assertThat(hosts.allows(host, port)).isEqualTo(allowed);
    }
}
