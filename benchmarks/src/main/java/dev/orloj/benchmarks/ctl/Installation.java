package dev.orloj.benchmarks.ctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The programs as they are installed, below a folder of the run.
 *
 * @param environment which keeps the settings of the user out
 */
record Installation(Path orlojctl, Path kubectl, Map<String, String> environment) {

    private static final String KUBECTL_VERSION = "1.33";

    /**
     * Copies the launchers and the jars of a checkout, which is built if it is not, and makes the
     * ahead-of-time caches.
     *
     * @param checkout with the sources
     * @param kubeconfig for both programs
     */
    static Installation of(Path checkout, Path folder, Path kubeconfig)
            throws IOException, InterruptedException {
        Map<String, String> environment =
                Map.of(
                        "ORLOJ_JAVA_HOME",
                        System.getProperty("java.home"),
                        "HOME",
                        folder.toString(),
                        "KUBECONFIG",
                        kubeconfig.toString());
        // Of its own HOME, for the build finds its libraries there.
        output(Map.of(), checkout.resolve("bin/orlojctl"), "version", "--client");
        copy(checkout.resolve("bin"), folder.resolve("bin"));
        copy(checkout.resolve("orlojctl/target/dist"), folder.resolve("lib/orlojctl"));
        Path orlojctl = folder.resolve("bin/orlojctl");
        output(
                Map.of("ORLOJ_JAVA_HOME", System.getProperty("java.home"), "ORLOJ_AOT", "only"),
                orlojctl);
        return new Installation(orlojctl, kubectl(checkout), environment);
    }

    /** The official program: that of some distributions only starts another. */
    private static Path kubectl(Path checkout) throws IOException, InterruptedException {
        Path fetch = checkout.resolve("orlojd/src/test/clients/kubectl/fetch");
        return Path.of(output(Map.of(), fetch, KUBECTL_VERSION).strip());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static String output(Map<String, String> environment, Path program, String... arguments)
            throws IOException, InterruptedException {
        RepeatedCommand command = RepeatedCommand.of(environment, program, arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command.command())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s failed".formatted(command.command()));
        }
        return output;
    }
}
