package dev.orloj.cli.testing;

import java.util.Map;

/** What an orlojd says of itself. */
final class FakeDiscovery {

    private static final String GROUP = "/apis/orloj.dev/v1";

    static final Map<String, String> ANSWERS =
            Map.of(
                    "/version",
                    "{\"gitVersion\": \"v1.2.3\"}",
                    "/api/v1",
                    """
                    {"groupVersion": "v1", "resources": [
                     {"name": "namespaces", "shortNames": ["ns"], "namespaced": false,
                      "kind": "Namespace", "verbs": ["get", "list"]}]}
                    """,
                    "/apis",
                    """
                    {"groups": [{"name": "orloj.dev",
                     "preferredVersion": {"groupVersion": "orloj.dev/v1"}}]}
                    """,
                    GROUP,
                    """
                    {"groupVersion": "orloj.dev/v1", "resources": [
                     {"name": "mcpservers", "shortNames": ["mcp"], "namespaced": true,
                      "kind": "McpServer", "verbs": ["get", "list", "watch"],
                      "categories": ["all"]},
                     {"name": "mcpservers/status", "namespaced": true, "kind": "McpServer",
                      "verbs": ["get"]}]}
                    """);

    private FakeDiscovery() {}
}
