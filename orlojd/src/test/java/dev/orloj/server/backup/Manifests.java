package dev.orloj.server.backup;

import java.util.Map;

/** Documents that the tests of backups create. */
final class Manifests {

    /** The value of each Secret, in Base64. */
    private static final String VALUE = "b3BlbiBzZXNhbWU=";

    private Manifests() {}

    static Map<String, Object> configMap(String name, String value) {
        return Map.of(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                Map.of("name", name),
                "data",
                Map.of("key", value));
    }

    static Map<String, Object> secret(String name) {
        return Map.of(
                "apiVersion",
                "orloj.dev/v1",
                "kind",
                "Secret",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of("data", Map.of("value", VALUE)));
    }
}
