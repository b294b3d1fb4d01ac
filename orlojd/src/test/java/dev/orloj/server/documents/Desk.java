package dev.orloj.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.testing.SharedClasses;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a reader follows a page: a home folder with a checkout of Orloj in it, the programs that
 * pages use, and an orlojd at the address that pages give it.
 */
final class Desk implements AutoCloseable {

    /** What pages have in place of what is here. */
    private static final String ADDRESS = "127.0.0.1:8080";

    private static final String HTTPS_ADDRESS = "127.0.0.1:8443";
    private static final Pattern HTTPS = Pattern.compile("server: https://(\\S+)");

    /** The data directory, of which a reader uses the credentials. */
    private static final String OWN = ".local/share/orloj";

    private static final String HOME = "/home/me";
    private static final String REPLICA = "box-1x9ab";

    private final Path home;
    private final Path checkout;
    private final Path files;
    private final Page page;
    private final Map<String, String> names = new TreeMap<>();
    private final Shell shell;

    private Desk(Path folder, Installation installation, Page page)
            throws IOException, InterruptedException {
        this.page = page;
        Path data = installation.data();
        home = Files.createDirectories(folder.resolve("home"));
        checkout = Files.createDirectories(home.resolve("orloj"));
        files = Files.createDirectories(folder.resolve("files"));
        names.put(ADDRESS, installation.orlojd().url().substring("http://".length()));
        names.put(HOME, home.toString());
        String kubeconfig = Files.readString(data.resolve("kubeconfig"));
        Matcher https = HTTPS.matcher(kubeconfig);
        assertThat(https.find()).isTrue();
        names.put(HTTPS_ADDRESS, https.group(1));
        names.put(REPLICA, Files.readString(data.resolve("replica-id")).strip());
        names.putAll(page.standIns());
        Path programs = Files.createDirectories(folder.resolve("programs"));
        program(programs.resolve("kubectl"), "exec '%s' \"$@\"".formatted(kubectl()));
        orlojctl(Files.createDirectories(checkout.resolve("bin")).resolve("orlojctl"));
        copyExamples();
        Path own = Files.createDirectories(home.resolve(OWN));
        Files.writeString(own.resolve("kubeconfig"), kubeconfig);
        Files.copy(data.resolve("admin.token"), own.resolve("admin.token"));
        installation.configureNpm(home);
        // A refused request is a failed command.
        Files.writeString(home.resolve(".curlrc"), "fail-with-body\n");
        shell = Shell.start(checkout, files, environment(programs));
    }

    static Desk of(Path folder, Installation installation, Page page)
            throws IOException, InterruptedException {
        return new Desk(folder, installation, page);
    }

    private Map<String, String> environment(Path programs) throws IOException {
        Map<String, String> environment = new TreeMap<>();
        environment.put("HOME", home.toString());
        environment.put("KUBECONFIG", home.resolve(OWN).resolve("kubeconfig").toString());
        environment.put(
                "PATH", programs + ":" + checkout.resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("LC_ALL", "C.UTF-8");
        // What a reader sees at the end: in a terminal the lines of the progress vanish.
        environment.put("ORLOJCTL_PROGRESS", "off");
        environment.put("TMPDIR", Files.createDirectories(home.resolve("tmp")).toString());
        return environment;
    }

    /** Starts the orlojctl of this build. */
    private static void orlojctl(Path launcher) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        SharedClasses classes = SharedClasses.ofThisRun();
        program(
                launcher,
                """
                export ORLOJCTL_LAUNCHER='%s'
                exec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 %s -cp '%s' dev.orloj.cli.Main "$@"
                """
                        .formatted(
                                launcher,
                                java,
                                String.join(" ", classes.options()),
                                classes.classPath()));
    }

    private static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** One for all machines, since each prints something else. */
    private static Path kubectl() throws IOException {
        Process fetch =
                new ProcessBuilder("src/test/clients/kubectl/fetch", "1.33")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        return Path.of(new String(fetch.getInputStream().readAllBytes()).strip());
    }

    private void copyExamples() throws IOException {
        Path examples = Pages.ROOT.resolve("examples");
        try (Stream<Path> all = Files.walk(examples)) {
            for (Path file : all.toList()) {
                Files.copy(file, checkout.resolve("examples").resolve(examples.relativize(file)));
            }
        }
    }

    /** Does what the page says. Returns how many commands that were. */
    int follow() throws IOException, InterruptedException {
        int commands = 0;
        for (int at = 0; at < page.steps().size(); at++) {
            switch (page.steps().get(at)) {
                case Step.Save file -> save(file);
                case Step.Run run -> {
                    run(run, readsExitCode(at + 1));
                    commands++;
                }
            }
        }
        return commands;
    }

    private boolean readsExitCode(int at) {
        return at < page.steps().size()
                && page.steps().get(at) instanceof Step.Run run
                && run.command().equals("echo $?");
    }

    private void save(Step.Save file) throws IOException, InterruptedException {
        Path text = files.resolve("saved");
        Files.writeString(text, here(file.text()));
        shell.run("cp '%s' '%s'".formatted(text, file.name()));
    }

    /** A command that may fail is one whose exit code the page shows next. */
    private void run(Step.Run step, boolean mayFail) throws IOException, InterruptedException {
        Shell.Result result = shell.run(here(step.command()));
        String output = there(result.output());
        boolean asShown =
                step.output().isEmpty() || Output.matches(step.output(), output.lines().toList());
        if (!asShown || (result.code() != 0 && !mayFail)) {
            throw new AssertionError(
                    "%s, line %d: $ %s%nended with %d and printed%n%s%nThe page shows%n%s"
                            .formatted(
                                    page.name(),
                                    step.line(),
                                    step.command(),
                                    result.code(),
                                    output,
                                    String.join("\n", step.output())));
        }
    }

    /** Deletes what the page left at orlojd. */
    void clear() throws IOException, InterruptedException {
        String orlojctl =
                "%s/bin/orlojctl --server http://%s ".formatted(checkout, names.get(ADDRESS));
        Shell.Result result =
                shell.run(
                        orlojctl
                                + "delete mcpservers,tools,sandboxes,secrets,configmaps --all"
                                + " --ignore-not-found && for namespace in $("
                                + orlojctl
                                + "get namespaces -o name | grep -vE '/(default|orloj-|kube-)');"
                                + " do "
                                + orlojctl
                                + "delete $namespace || exit; done");
        assertThat(result.code()).as(result.output()).isZero();
    }

    /** Text of the page, with the names of this machine. */
    private String here(String text) {
        String here = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            here = here.replace(name.getKey(), name.getValue());
        }
        return here;
    }

    /** Text of this machine, with the names of the page. */
    private String there(String text) {
        String there = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            there = there.replace(name.getValue(), name.getKey());
        }
        return there;
    }

    @Override
    public void close() {
        shell.close();
    }
}
