package dev.orloj.api.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class ImageRuleTest {

    private static final String DIGEST = "@sha256:" + "a".repeat(64);

    @ParameterizedTest
    @CsvSource({
        "ghcr.io/acme/*, ghcr.io/acme/server, true",
        "ghcr.io/acme/*, ghcr.io/acme/server:1.0, true",
        "ghcr.io/acme/*, GHCR.io/acme/server, true",
        "ghcr.io/acme/*, ghcr.io/acme/a/server, false",
        "ghcr.io/acme/*, ghcr.io/acme/../evil/server, false",
        "ghcr.io/acme/*, ghcr.io/acme/.., false",
        "ghcr.io/acme/*, ghcr.io.evil.com/acme/server, false",
        "ghcr.io/acme/*, acme/server, false",
        "ghcr.io/acme/*, ghcr.io:444/acme/server, false",
        "alpine, alpine, true",
        "alpine, docker.io/library/alpine:3, true",
        "alpine, docker.io/alpine, true",
        "alpine, index.docker.io/library/alpine, true",
        "alpine, evil/alpine, false",
        "docker.io/library/*, alpine, true",
        "docker.io/library/*, cafe, false",
        "docker.io/library/*, 0123456789ab, false",
        "docker.io/library/*, sha256:0123456789ab, false",
        "docker.io/library/*, localhost/alpine, false",
        "alpine:3.*, alpine:3.20, true",
        "alpine:3.*, alpine:4, false",
        "alpine:latest, alpine, true"
    })
    void patternNamesRegistryAndRepository(String pattern, String image, boolean allowed) {
        assertThat(new ImageRule(List.of(pattern), null).objection(image).isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void tagBesideADigestDecidesNothing() {
        assertThat(new ImageRule(List.of("alpine:3.20"), null).objection("alpine:3.20" + DIGEST))
                .isPresent();
        assertThat(new ImageRule(List.of("alpine"), null).objection("alpine:3" + DIGEST)).isEmpty();
        assertThat(new ImageRule(List.of("alpine" + DIGEST), null).objection("alpine" + DIGEST))
                .isEmpty();
    }

    @Test
    void requiredDigestIsOneOfSha256() {
        ImageRule rule = new ImageRule(null, true);

        assertThat(rule.objection("alpine:3"))
                .hasValueSatisfying(why -> assertThat(why).contains("a digest is required"));
        assertThat(rule.objection("alpine@sha256:abc")).isPresent();
        assertThat(rule.objection("alpine@")).isPresent();
        assertThat(rule.objection("alpine" + DIGEST)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.acme.com/mcp, true",
        "https://API.acme.com.:443/mcp, true",
        "https://a.b.acme.com, true",
        "https://acme.com/, false",
        "https://evilacme.com/, false",
        "https://api.acme.com@evil.com/, false",
        "https://evil.com/api.acme.com, false",
        "https://evil.com\\@api.acme.com/, false",
        "https://evil.com#.acme.com, false"
    })
    void hostOfAnEndpointIsTheOneThatIsDialled(String endpoint, boolean allowed) {
        assertThat(new EndpointHosts(List.of("*.acme.com")).objection(endpoint).isEmpty())
                .isEqualTo(allowed);
    }
}
