package dev.orloj.server.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The official Python SDK of MCP, in a virtual environment. */
record PythonPackages(Path home) {

    private static final String SDK = "mcp==2.3.0";

    /** Fetches it, unless the folder has it. */
    static PythonPackages install(Path home) throws IOException, InterruptedException {
        Files.createDirectories(home);
        PythonPackages packages = new PythonPackages(home);
        Command.run(home, Duration.ofMinutes(2), List.of("python3", "-m", "venv", home.toString()));
        Command.run(
                home,
                Duration.ofMinutes(5),
                List.of(packages.python(), "-m", "pip", "install", "--quiet", SDK));
        return packages;
    }

    /** The program to run scripts with. */
    String python() {
        return home.resolve("bin/python").toString();
    }
}
