package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.OfferedDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.codec.Json;

import java.util.ArrayList;
import java.util.List;

/** {@code orlojctl tools}, in a namespace of its own on the shared server. */
record ToolsCommands(String namespace) {

    ToolsCommands() {
        this(RestServer.shared().freshNamespace());
    }

    OrlojctlRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("tools"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-n", namespace));
        return OrlojctlRun.of(RestServer.shared().port(), "", all.toArray(String[]::new));
    }

    /** Returns the output with one space between columns. */
    String columns(String... arguments) {
        return run(arguments).out().replaceAll(" +", " ");
    }

    String servers() {
        return "/apis/orloj.dev/v1/namespaces/" + namespace + "/mcpservers";
    }

    /** Creates the server {@code srv}, whose changes are held. */
    void createServer() {
        assertThat(
                        RestServer.shared()
                                .probe()
                                .post(
                                        servers(),
                                        """
                                        {"metadata": {"name": "srv"}, "spec": {"transport": "stdio",
                                         "command": "x", "tool_policy": {"on_change": "quarantine"}}}\
                                        """)
                                .code())
                .isEqualTo(201);
    }

    /** Returns the prompt {@code review}. */
    static OfferedDefinition prompt(String description) {
        return OfferedDefinition.of(
                        DefinitionName.Kind.PROMPT,
                        Json.MAPPER
                                .createObjectNode()
                                .put("name", "review")
                                .put("description", description))
                .orElseThrow();
    }

    /** Makes this definition the only one that the server {@code srv} offers. */
    void offer(OfferedDefinition offered) {
        RestServer.shared()
                .approvals()
                .offer(
                        new ResourceKey(namespace, "srv"),
                        new OfferedFeatures(List.of(offered), DefinitionName.FEATURES));
    }
}
