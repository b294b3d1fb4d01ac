package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Resources as people write them. */
public final class Manifests {

    private Manifests() {}

    /**
     * @param spec JSON, the braces around it left out
     */
    public static McpServer server(String namespace, String name, String spec) {
        return ResourceCodec.fromDocument(
                McpServer.KIND, document("McpServer", namespace, name, spec));
    }

    static McpServer respecified(McpServer server, String spec) {
        return server.withSpec(server("any", "any", spec).spec());
    }

    public static Secret secret(String namespace, String name, String key, String value) {
        String encoded = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        return ResourceCodec.fromDocument(
                Secret.KIND,
                document(
                        "Secret",
                        namespace,
                        name,
                        "\"data\": {\"%s\": \"%s\"}".formatted(key, encoded)));
    }

    public static ConfigMap configMap(String namespace, String name, String key, String value) {
        return new ConfigMap(
                ConfigMap.KIND.apiVersion(),
                ConfigMap.KIND.name(),
                ObjectMeta.of(namespace, name),
                Map.of(key, value),
                Map.of(),
                false);
    }

    public static Sandbox sandbox(String namespace, String name, String spec) {
        return ResourceCodec.fromDocument(Sandbox.KIND, document("Sandbox", namespace, name, spec));
    }

    static Tool tool(String namespace, String name, String spec) {
        return ResourceCodec.fromDocument(Tool.KIND, document("Tool", namespace, name, spec));
    }

    private static ObjectNode document(String kind, String namespace, String name, String spec) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "%s",
                         "metadata": {"namespace": "%s", "name": "%s"}, "spec": {%s}}
                        """
                                .formatted(kind, namespace, name, spec));
    }
}
