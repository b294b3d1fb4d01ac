package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The launchers of {@code bin/}, in an installation whose JDK is a script that prints what it is
 * started with.
 */
record InstalledLaunchers(Path folder, Path root, Path jdk) {

    private static final Path BIN = Path.of("../bin");

    static InstalledLaunchers in(Path folder) throws IOException {
        Path root = folder.resolve("an installed Orloj");
        try (Stream<Path> files = Files.walk(BIN)) {
            for (Path file : files.toList()) {
                Path copy = root.resolve("bin").resolve(BIN.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        for (String app : List.of("orlojd", "orlojctl")) {
            Path jar = root.resolve("lib").resolve(app).resolve(app + ".jar");
            Files.createDirectories(jar.getParent());
            Files.writeString(jar, "no real jar");
        }
        Path jdk = folder.resolve("a JDK");
        Path java = jdk.resolve("bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        return new InstalledLaunchers(folder, root, jdk);
    }

    /** Returns the lines of stdout and stderr. */
    List<String> run(List<String> environment, Path launcher, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(
                List.of(
                        "ORLOJ_JAVA_HOME=" + jdk,
                        "XDG_CACHE_HOME=" + folder.resolve("cache"),
                        "ORLOJ_AOT=off"));
        command.addAll(environment);
        command.add(launcher.toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.lines().toList();
    }
}
