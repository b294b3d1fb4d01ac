package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.NeedsRoot;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.runtime.testkit.TestAccount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** Processes of another user than orlojd, from their start to their end. */
@NeedsRoot
class OtherUserProcessTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static TestAccount account;
    private final String owner = "replica-" + UUID.randomUUID();
    private final Supervisor supervisor =
            new Supervisor(
                    owner,
                    Map.of("PATH", System.getenv("PATH"), "HOME", "/root", "TMPDIR", "/root/tmp"),
                    null);
    private ProcessUser user;

    @BeforeAll
    static void createAccount() throws Exception {
        account = TestAccount.create();
    }

    @AfterAll
    static void removeAccount() throws Exception {
        account.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        user = ProcessUser.find(account.name());
        supervisor.prepare(new ProcessUsers(user, Map.of()));
    }

    @AfterEach
    void stop() {
        supervisor.close();
    }

    private String output(Map<String, String> environment, String... command) throws Exception {
        HostProcess process = supervisor.start(List.of(command), environment, Optional.of(user));
        return new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void runsWithTheIdsOfTheAccountAndNoWayBack() throws Exception {
        List<String> status =
                output(Map.of(), "cat", "/proc/self/status")
                        .lines()
                        .map(line -> line.replaceAll("\\s+", " ").strip())
                        .toList();
        String uid = String.valueOf(account.uid());

        assertThat(status)
                .contains(
                        "Uid: %s %s %s %s".formatted(uid, uid, uid, uid),
                        "Groups:",
                        "NoNewPrivs: 1",
                        "CapInh: 0000000000000000",
                        "CapPrm: 0000000000000000",
                        "CapEff: 0000000000000000",
                        "CapBnd: 0000000000000000",
                        "CapAmb: 0000000000000000");
    }

    @Test
    void itsHomeAndItsTemporaryFolderAreThoseOfTheAccount() throws Exception {
        String printed =
                output(
                        Map.of(),
                        "sh",
                        "-c",
                        "umask; pwd; echo $HOME; echo $USER; t=$(mktemp); echo $t; stat -c %a $t");
        String home = account.home().toString();

        List<String> lines = printed.lines().toList();
        assertThat(lines).startsWith("0077", home, home, account.name()).endsWith("600");
        assertThat(lines.get(4)).startsWith(home + "/.cache/orloj/" + owner + "/");
    }

    @Test
    void theNextStartEmptiesTheTemporaryFolder() throws Exception {
        output(Map.of(), "sh", "-c", "touch \"$TMPDIR/left\"");
        assertThat(user.temporary(owner).resolve("left")).exists();

        supervisor.prepare(new ProcessUsers(null, Map.of("web", user)));

        assertThat(user.temporary(owner)).isEmptyDirectory();
    }

    @Test
    void itsVariablesArriveAsTheyAre() throws Exception {
        String value = "a b\n\"c\" '$HOME' `id` \\ ü";
        String printed =
                output(Map.of("VALUE", value, "PATH", "/usr/bin:/bin:/nowhere"), "env", "-0");

        List<String> variables = List.of(printed.split("\0"));
        assertThat(variables)
                .contains("VALUE=" + value, "PATH=/usr/bin:/bin:/nowhere")
                .noneMatch(variable -> variable.startsWith("ORLOJ_ENV_"));
        assertThat(variables)
                .allMatch(
                        variable ->
                                variable.matches(
                                        "(?s)(HOME|LOGNAME|ORLOJ_CHILD|PATH|PWD|OLDPWD|SHLVL|TMPDIR|USER|VALUE|_)=.*"));
    }

    /** Root starts the programs that become the account. What they load is not the server's. */
    @Test
    void aVariableOfTheServerChoosesNothingThatRootRuns() throws Exception {
        Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "orloj-path-");
        Path evidence = folder.resolve("ran-as-root");
        for (String program : List.of("chown", "setpriv", "sh", "mkdir")) {
            Path fake =
                    Files.writeString(
                            folder.resolve(program),
                            "#!/bin/sh\n[ \"$(/usr/bin/id -u)\" != 0 ] || echo > %s\n"
                                    .formatted(evidence));
            assertThat(fake.toFile().setExecutable(true, false)).isTrue();
        }

        output(
                Map.of("PATH", folder + ":/usr/bin:/bin", "LD_PRELOAD", folder + "/absent.so"),
                "/usr/bin/id");

        assertThat(evidence).doesNotExist();
    }

    @Test
    void itOpensItsStreamsAgain() throws Exception {
        assertThat(output(Map.of(), "sh", "-c", "echo out > /dev/stdout")).isEqualTo("out\n");
    }

    @Test
    void aProgramThatTheAccountMayNotRunSaysSo() throws Exception {
        Path hidden = Files.createTempDirectory("orloj-hidden-");
        Path program = Files.writeString(hidden.resolve("server"), "#!/bin/sh\n");
        assertThat(program.toFile().setExecutable(true, false)).isTrue();

        assertThatThrownBy(
                        () ->
                                supervisor.start(
                                        List.of(program.toString()), Map.of(), Optional.of(user)))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining(program.toString())
                .hasMessageContaining("cannot be executed by user");
    }

    @Test
    void stopEndsWhatIgnoresItAndItsDescendants() throws Exception {
        String marker = "foreign-" + UUID.randomUUID();
        HostProcess process =
                supervisor.start(
                        List.of(
                                "sh",
                                "-c",
                                "trap '' TERM; setsid sh -c 'sleep 1000; :' %s & sleep 1000; :"
                                        .formatted(marker),
                                marker),
                        Map.of(),
                        Optional.of(user));
        await().atMost(TIMEOUT).until(() -> Processes.withCommandLine(marker).size() > 3);
        long pid = process.pid().orElseThrow();
        assertThat(Files.getAttribute(Path.of("/proc/" + pid), "unix:uid"))
                .isEqualTo(account.uid());
        assertThat(ProcessTable.read().usage(pid)).isPresent();

        process.stop(Duration.ofMillis(100));

        assertThat(process.exit()).isDone();
        assertThat(Processes.withCommandLine(marker)).isEmpty();
    }

    @Test
    void itDiesWithOrlojd() throws Exception {
        String marker = "doomed-" + UUID.randomUUID();
        Process jvm = startOwner("NAMESPACE", marker);
        try {
            awaitDetached(marker);

            jvm.destroyForcibly().waitFor();

            await().atMost(TIMEOUT).until(() -> Processes.withCommandLine(marker).isEmpty());
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Without namespaces, what detached is found by its marker when the next orlojd starts. */
    @Test
    void theNextStartSweepsWhatAKilledOneLeft() throws Exception {
        String marker = "orphan-" + UUID.randomUUID();
        Process jvm = startOwner("GROUP", marker);
        try (Supervisor heir = new Supervisor(owner)) {
            long detached = awaitDetached(marker);
            jvm.destroyForcibly().waitFor();
            assertThat(Processes.isAlive(detached)).isTrue();

            heir.sweep();

            assertThat(Processes.withCommandLine(marker)).isEmpty();
            assertThat(Processes.isAlive(detached)).isFalse();
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void aHomeThatTheAccountCannotReachIsRefused() throws Exception {
        Path hidden = Files.createTempDirectory("orloj-home-");
        ProcessUser homeless =
                new ProcessUser(account.name(), user.uid(), user.group(), hidden.resolve("x"));

        assertThatThrownBy(() -> supervisor.prepare(new ProcessUsers(homeless, Map.of())))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("orlojd cannot run programs as user")
                .hasMessageContaining(hidden.toString());
    }

    /** Waits until the child of {@link Doomed} is detached and ignores TERM; returns its pid. */
    private static long awaitDetached(String marker) throws Exception {
        Path file = account.home().resolve(marker);
        await().atMost(TIMEOUT).until(() -> Files.exists(file) && Files.size(file) > 0);
        return Long.parseLong(Files.readString(file).strip());
    }

    private Process startOwner(String kind, String marker) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Doomed.class.getName(),
                        owner,
                        account.name(),
                        kind,
                        marker)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts a server of the account with a detached child, and waits to be killed. */
    static final class Doomed {

        public static void main(String[] arguments) throws Exception {
            Confinement confinement =
                    Confinement.candidatesForOthers().stream()
                            .filter(candidate -> candidate.kind().name().equals(arguments[2]))
                            .filter(Confinement::works)
                            .findFirst()
                            .orElseThrow();
            Supervisor supervisor =
                    new Supervisor(arguments[0], System.getenv(), null, confinement);
            supervisor.start(
                    List.of(
                            "sh",
                            "-c",
                            """
                            setsid sh -c "trap '' TERM; echo \\$\\$ > $HOME/%1$s; sleep 1000; :" %1$s &
                            sleep 1000\
                            """
                                    .formatted(arguments[3])),
                    Map.of(),
                    Optional.of(ProcessUser.find(arguments[1])));
            new CountDownLatch(1).await();
        }
    }
}
