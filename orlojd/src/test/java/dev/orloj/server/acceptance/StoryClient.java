package dev.orloj.server.acceptance;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The official clients, which report what they get from a server. */
enum StoryClient {
    /** Of revisions with sessions. */
    TYPESCRIPT_OLDER,
    /** Of revision 2026-07-28. */
    TYPESCRIPT_NEWER,
    /** Of revisions with sessions. */
    JAVA,
    /** Of all revisions, beginning with the newest. */
    PYTHON;

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String SCRIPT = "agent-story.mjs";

    /** What the older TypeScript client gets from a server without anything in between. */
    static JsonNode direct(Kit kit, StoryServer server) throws IOException, InterruptedException {
        List<String> command = server.command(kit.node());
        return run(kit, typescript(kit, "direct", command.toArray(String[]::new)));
    }

    JsonNode publish(Kit kit, String endpoint) throws IOException, InterruptedException {
        return switch (this) {
            case TYPESCRIPT_OLDER -> run(kit, typescript(kit, "older", endpoint));
            case TYPESCRIPT_NEWER -> run(kit, typescript(kit, "newer", endpoint));
            case JAVA -> OfficialClient.comparable(JavaAgentStory.publish(URI.create(endpoint)));
            case PYTHON -> {
                String script = kit.node().script("agent-story.py").toString();
                yield run(kit, List.of(kit.python().python(), script, endpoint));
            }
        };
    }

    private static List<String> typescript(Kit kit, String line, String... target)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(kit.node().node(), kit.node().script(SCRIPT).toString(), line));
        command.addAll(List.of(target));
        return command;
    }

    private static JsonNode run(Kit kit, List<String> command) throws InterruptedException {
        String story = Command.run(kit.folder(), TIMEOUT, command);
        return OfficialClient.comparable(Json.MAPPER.readTree(story));
    }

    /** What they are run with, and where. */
    record Kit(NodePackages node, PythonPackages python, Path folder) {}
}
