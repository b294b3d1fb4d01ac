package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldError;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** What a Sandbox may say of folders of the host. */
class SandboxRulesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "srv/a | /work | `spec.mounts[0].host_path: Invalid value: \"srv/a\": must be an"
                        + " absolute path without . and .., and without / at its end`",
                "/srv/../etc | /work | `spec.mounts[0].host_path: Invalid value: \"/srv/../etc\":"
                        + " must be an absolute path without . and .., and without / at its end`",
                "/srv/a | work/ | `spec.mounts[0].mount_path: Invalid value: \"work/\": must be an"
                        + " absolute path without . and .., and without / at its end`",
                "/srv/a | /proc/x | `spec.mounts[0].mount_path: Invalid value: \"/proc/x\": must"
                        + " not be /, /proc, /sys, /dev, /tmp, or below those`",
                "/srv/a | / | `spec.mounts[0].mount_path: Invalid value: \"/\": must not be /,"
                        + " /proc, /sys, /dev, /tmp, or below those`",
                "/srv/a | /key | `spec.mounts[0].mount_path: Duplicate value: \"/key\"`",
            })
    void mountsAreChecked(String hostPath, String mountPath, String error) {
        assertThat(errors(hostPath, mountPath))
                .extracting(FieldError::toString)
                .containsExactly(error);
    }

    @Test
    void pathsThatNoFileSystemHasAreRefused() {
        for (String path : List.of("/a\\ud800", "/a\\u0000b")) {
            assertThat(errors(path, "/work"))
                    .singleElement()
                    .asString()
                    .startsWith("spec.mounts[0].host_path: Invalid value: ");
            assertThat(errors("/srv/a", path))
                    .singleElement()
                    .asString()
                    .startsWith("spec.mounts[0].mount_path: Invalid value: ");
        }
    }

    @Test
    void plainPathsAreFine() {
        assertThat(errors("/srv/a", "/work")).isEmpty();
    }

    private static List<FieldError> errors(String hostPath, String mountPath) {
        DocumentCheck check =
                DocumentCheck.of(
                        Sandbox.DESCRIPTOR,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
                                         "metadata": {"name": "box"},
                                         "spec": {"image": "i",
                                           "env": [{"name": "K", "secretRef": "s", "mountPath": "/key"}],
                                           "mounts": [{"host_path": "%s", "mount_path": "%s"}]}}
                                        """
                                                .formatted(hostPath, mountPath)));
        assertThat(check.unknownFields()).isEmpty();
        return check.errors();
    }
}
