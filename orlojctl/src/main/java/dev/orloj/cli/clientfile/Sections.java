package dev.orloj.cli.clientfile;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the parts of a document that list servers, in every published shape. */
public final class Sections {

    /** Members that hold nothing but servers. */
    private static final List<String> SURE =
            List.of("mcpServers", "context_servers", "mcp_servers", "amp.mcpServers");

    /** Fields of which every server has at least one. */
    private static final Set<String> OF_A_SERVER =
            Set.of("command", "cmd", "url", "serverUrl", "httpUrl", "uri", "endpoint", "transport");

    private Sections() {}

    /**
     * Returns the sections, the most specific first: those of the project come before those of the
     * user, because clients prefer them.
     *
     * @param project the folder whose part of the file of Claude Code is read
     */
    public static List<Section> of(ObjectNode root, Optional<String> project) {
        List<Section> found = new ArrayList<>();
        project.ifPresent(
                p ->
                        add(
                                root.path("projects").path(p).path("mcpServers"),
                                found,
                                "projects",
                                p,
                                "mcpServers"));
        SURE.forEach(name -> add(root.path(name), found, name));
        if (areServers(root.path("servers"))) {
            add(root.path("servers"), found, "servers");
        }
        addMcp(root.path("mcp"), found);
        if (root.path("extensions").isObject() && areExtensions(root.path("extensions"))) {
            add(root.path("extensions"), found, "extensions");
        }
        root.path("containers")
                .properties()
                .forEach(
                        container ->
                                add(
                                        container.getValue().path("mcp"),
                                        found,
                                        "containers",
                                        container.getKey(),
                                        "mcp"));
        if (found.isEmpty() && !isServer(root) && areServers(root)) {
            add(root, found);
        }
        return found;
    }

    /** Returns whether the document itself is one server, as deep links have it. */
    public static boolean isServer(JsonNode node) {
        return node.isObject() && OF_A_SERVER.stream().anyMatch(node::has);
    }

    private static void addMcp(JsonNode mcp, List<Section> found) {
        for (String inner : List.of("servers", "mcpServers")) {
            if (mcp.path(inner).isContainer()) {
                add(mcp.path(inner), found, "mcp", inner);
                return;
            }
        }
        if (mcp.isObject() && (mcp.isEmpty() || areServersOrCommands(mcp))) {
            add(mcp, found, "mcp");
        }
    }

    private static void add(JsonNode node, List<Section> found, String... path) {
        if (node.isObject() || node.isArray()) {
            found.add(new Section(List.of(path), node));
        }
    }

    private static boolean areServers(JsonNode node) {
        return !node.isEmpty()
                ? node.valueStream().anyMatch(Sections::isServer)
                : node.isArray() || node.isObject();
    }

    private static boolean areServersOrCommands(JsonNode node) {
        return node.valueStream()
                .anyMatch(v -> isServer(v) || v.isArray() || v.has("enabled") || v.has("disabled"));
    }

    private static boolean areExtensions(JsonNode node) {
        return node.valueStream().anyMatch(v -> v.has("type") && v.has("enabled") || isServer(v));
    }
}
