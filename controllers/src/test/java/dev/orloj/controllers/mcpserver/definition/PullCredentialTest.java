package dev.orloj.controllers.mcpserver.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.secret.OperatorSecrets;
import dev.orloj.runtime.container.spec.RegistryCredential;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class PullCredentialTest {

    private static RegistryCredential of(String key, String value, String registry) {
        return PullCredential.of(
                "pull",
                registry,
                new ReferencedValues(
                        name -> Optional.of(Manifests.secret("default", name, key, value)),
                        name -> Optional.empty(),
                        OperatorSecrets.NONE,
                        "default"));
    }

    @Test
    void theEntryOfTheRegistryIsTaken() {
        String config =
                """
                {"auths": {"https://index.docker.io/v1/": {"auth": "aHViOm9uZQ=="},
                           "ghcr.io": {"username": "agent", "password": "two"}}}
                """;

        assertThat(of(".dockerconfigjson", config, "docker.io"))
                .isEqualTo(new RegistryCredential("docker.io", "hub", "one"));
        assertThat(of(".dockerconfigjson", config, "ghcr.io"))
                .isEqualTo(new RegistryCredential("ghcr.io", "agent", "two"));
    }

    @Test
    void aSecretForAnotherRegistryIsRefusedByName() {
        String config = "{\"auths\": {\"ghcr.io\": {\"auth\": \"aHViOm9uZQ==\"}}}";

        assertThatThrownBy(() -> of(".dockerconfigjson", config, "docker.io"))
                .isInstanceOf(UnresolvedReferenceException.class)
                .hasMessageContaining("\"pull\"")
                .hasMessageContaining("\"docker.io\"");
    }

    @Test
    void whatCannotBeReadIsNotShown() {
        assertThatThrownBy(() -> of(".dockerconfigjson", "{s3cret", "docker.io"))
                .isInstanceOf(UnresolvedReferenceException.class)
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> of("token", "s3cret", "docker.io"))
                .isInstanceOf(UnresolvedReferenceException.class)
                .hasMessageContaining("username and password")
                .hasMessageNotContaining("s3cret");
    }
}
