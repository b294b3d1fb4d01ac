package dev.orloj.runtime.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** An account of this machine, with a home of its own; both are removed when it is closed. */
public final class TestAccount implements AutoCloseable {

    private final String name = "orloj-" + UUID.randomUUID().toString().substring(0, 8);
    private final Path home = Path.of("/var/tmp", name);
    private final int uid;

    private TestAccount() throws IOException, InterruptedException {
        run(
                List.of(
                        "useradd",
                        "--system",
                        "--user-group",
                        "--no-create-home",
                        "--home-dir",
                        home.toString(),
                        "--shell",
                        "/usr/sbin/nologin",
                        name));
        run(List.of("install", "-d", "-o", name, "-g", name, "-m", "0700", home.toString()));
        this.uid = Integer.parseInt(run(List.of("id", "-u", name)).strip());
    }

    public static TestAccount create() throws IOException, InterruptedException {
        return new TestAccount();
    }

    public String name() {
        return name;
    }

    public int uid() {
        return uid;
    }

    public Path home() {
        return home;
    }

    /** Runs a program as the account, with nothing of this process but its standard streams. */
    public Result as(List<String> program) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "setpriv",
                                "--reuid=" + name,
                                "--regid=" + name,
                                "--clear-groups",
                                "--reset-env",
                                "--"));
        command.addAll(program);
        Process process =
                new ProcessBuilder(command)
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    /** How a program ended, and what it printed. */
    public record Result(int code, String output) {}

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + output);
        }
        return output;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run(List.of("userdel", "--force", name));
        Files.walkFileTree(
                home,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, IOException e)
                            throws IOException {
                        Files.delete(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
