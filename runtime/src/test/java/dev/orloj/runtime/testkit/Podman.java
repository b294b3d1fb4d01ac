package dev.orloj.runtime.testkit;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The Podman of this machine, as root, with its socket and its storage in a folder of its own: no
 * other containers are there, and none are left. Its command line is the witness.
 */
public final class Podman implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String CONFIGURATION =
            """
            [engine]
            %2$s
            cgroup_manager = "cgroupfs"
            events_logger = "file"
            lock_type = "file"
            tmp_dir = "%1$s/tmp"
            runtime = "lowered"
            [engine.runtimes]
            lowered = ["%1$s/runtime"]
            """;

    private final Path folder;
    private final Process service;

    private Podman(Path folder, Optional<Path> init) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("tmp"));
        Files.writeString(
                folder.resolve("containers.conf"),
                CONFIGURATION.formatted(
                        folder.toString(), init.map("init_path = \"%s\""::formatted).orElse("")));
        try (InputStream runtime =
                Objects.requireNonNull(Podman.class.getResourceAsStream("/podman/runtime"))) {
            Files.copy(runtime, folder.resolve("runtime"));
        }
        Files.setPosixFilePermissions(
                folder.resolve("runtime"), PosixFilePermissions.fromString("rwxr-xr-x"));
        service = program("system", "service", "--time=0", host()).start();
    }

    /** With the init that it finds, if any. Returns when it answers and has the test image. */
    public static Podman start() {
        return start(Optional.empty());
    }

    /**
     * @param init the only place where it looks for one, which may be empty
     */
    public static Podman start(Path init) {
        return start(Optional.of(init));
    }

    private static Podman start(Optional<Path> init) {
        try {
            Podman podman = new Podman(Files.createTempDirectory("orloj-podman"), init);
            await().atMost(TIMEOUT).until(() -> Files.exists(podman.socket()));
            podman.load("orloj-test/server");
            return podman;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void load(String image) {
        Path archive = folder.resolve("image.tar");
        Docker.run("save", "--output", archive.toString(), image);
        run("load", "--quiet", "--input", archive.toString());
    }

    /** As {@code --container-host} takes it. */
    public String host() {
        return "unix://" + socket();
    }

    private Path socket() {
        return folder.resolve("podman.sock");
    }

    /** Names of all containers of an orlojd, ended ones included. */
    public List<String> containersOf(String replica) {
        return run(
                        "ps",
                        "--all",
                        "--format",
                        "{{.Names}}",
                        "--filter",
                        "label=orloj.dev/replica=" + replica)
                .lines()
                .toList();
    }

    public String run(String... arguments) {
        try {
            Process process = program(arguments).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(List.of(arguments) + " has failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private ProcessBuilder program(String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "podman",
                                "--root",
                                folder.resolve("storage").toString(),
                                "--runroot",
                                folder.resolve("run").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
        program.directory(folder.toFile()); // its monitor leaves files where it is
        program.environment().put("CONTAINERS_CONF", folder + "/containers.conf");
        return program;
    }

    @Override
    public void close() {
        run("rm", "--all", "--force", "--time", "0");
        run("rmi", "--all", "--force");
        service.destroy();
        service.onExit().join();
        Docker.runProgram(
                List.of(
                        "sh",
                        "-c",
                        "umount \"$0/storage/overlay\" 2>/dev/null; rm -rf \"$0\"",
                        folder.toString()));
    }
}
