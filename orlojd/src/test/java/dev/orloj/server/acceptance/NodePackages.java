package dev.orloj.server.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Packages of npm that judge MCP, and a Node.js that is new enough for them. */
record NodePackages(Path home) {

    private static final List<String> PACKAGES =
            List.of(
                    "node@22.23.3",
                    "@modelcontextprotocol/sdk@1.32.2",
                    "@modelcontextprotocol/client@2.4.0",
                    "@modelcontextprotocol/server@2.4.0",
                    "@modelcontextprotocol/node@2.1.2",
                    "conformance-0.1.16@npm:@modelcontextprotocol/conformance@0.1.16",
                    "conformance-0.2.0-alpha.12@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12");

    private static final Map<Path, NodePackages> INSTALLED = new HashMap<>();

    /**
     * Fetches them, unless the folder has them, which npm takes seconds to find: it is asked once
     * in this JVM.
     */
    static synchronized NodePackages install(Path home) throws IOException, InterruptedException {
        NodePackages installed = INSTALLED.get(home);
        if (installed == null) {
            installed = fetch(home);
            INSTALLED.put(home, installed);
        }
        return installed;
    }

    private static NodePackages fetch(Path home) throws IOException, InterruptedException {
        Files.createDirectories(home);
        Files.writeString(home.resolve("package.json"), "{\"private\": true}");
        List<String> command = new ArrayList<>(List.of("npm", "install", "--silent"));
        command.addAll(List.of("--no-audit", "--no-fund", "--prefer-offline"));
        command.addAll(PACKAGES);
        Command.run(home, Duration.ofMinutes(5), command);
        return new NodePackages(home);
    }

    /** The program to run scripts with. */
    String node() {
        return home.resolve("node_modules/.bin/node").toString();
    }

    Path conformance(String version) {
        return home.resolve("node_modules/conformance-" + version + "/dist/index.js");
    }

    /** A script of the tests, put where it finds the packages. */
    Path script(String name) throws IOException {
        try (InputStream script = NodePackages.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException(name + " is missing");
            }
            Path copy = home.resolve(name);
            Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
            return copy;
        }
    }
}
