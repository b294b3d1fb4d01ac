package dev.orloj.api.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.testing.TestChains;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class CertificateChainTest {

    private static CertificateChain chain(String names) {
        return new CertificateChain(TestChains.of(names.split(" ")));
    }

    @ParameterizedTest
    @CsvSource({
        "server intermediate root, root",
        "server root intermediate, root",
        "server intermediate, intermediate",
        "server intermediate old-root, intermediate",
        "server intermediate server, intermediate",
        "server intermediate intermediate, intermediate",
        "of-old-root old-root root, old-root",
        "alone, alone",
        "alone root, alone"
    })
    void authorityIsTheLastIssuerThatTheServerLeadsTo(String names, String authority) {
        assertThat(chain(names).authority()).contains(TestChains.certificate(authority));
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "server root", "forged", "forged intermediate root"})
    void serverThatLeadsToNoIssuerHasNoAuthority(String names) {
        assertThat(chain(names).authority()).isEmpty();
    }

    @Test
    void chainWithoutACertificateIsRefused() {
        assertThatThrownBy(() -> new CertificateChain(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
