package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.HostMount;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.container.spec.SecretFile;
import dev.orloj.runtime.testkit.NeedsPodman;
import dev.orloj.runtime.testkit.Podman;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** What is promised of containers, kept by Podman at its socket that speaks as Docker does. */
@NeedsPodman
class PodmanTest {

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration SHORT_GRACE = Duration.ofMillis(300);
    private static final String DEAF = "trap '' TERM; while :; do sleep 0.1; done";

    private static Podman podman;

    private final String replica = "test-" + UUID.randomUUID();
    private final ContainerEngine engine =
            new ContainerEngine(new EngineSettings(podman.host(), replica), ContainerListener.NONE);

    @BeforeAll
    static void start() {
        podman = Podman.start();
    }

    @AfterAll
    static void stop() {
        podman.close();
    }

    @AfterEach
    void close() {
        engine.close();
        assertThat(podman.containersOf(replica)).isEmpty();
    }

    private DockerContainer shell(String script) throws InterruptedException {
        return engine.start(Specs.program("sh", "-c", script));
    }

    private static String text(DockerContainer container) throws Exception {
        return new String(container.stdout().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Posture posture(DockerContainer container) {
        await().atMost(Duration.ofSeconds(10)).until(() -> container.posture().isPresent());
        return container.posture().orElseThrow();
    }

    @Test
    void whatGoesInComesOutOfTheRightEnd() throws Exception {
        DockerContainer container = shell("echo oops >&2; read line; echo \"got $line\"; exit 7");

        container.stdin().write("this\n".getBytes(StandardCharsets.UTF_8));
        container.stdin().flush();

        assertThat(text(container)).isEqualTo("got this\n");
        assertThat(new String(container.stderr().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("oops\n");
        assertThat(container.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(7));
    }

    /** Podman lists the capabilities one by one that it has dropped, which proves nothing. */
    @Test
    void aContainerIsKnownToBeClosedInAndStays() throws Exception {
        DockerContainer container = engine.start(Specs.program("cat"));

        Posture posture = posture(container);

        assertThat(posture.relaxations()).isEmpty();
        assertThat(posture.user()).isEqualTo(ContainerIsolation.UNPRIVILEGED);
        assertThat(posture.network()).isEqualTo("none");
        assertThat(container.exit()).isNotDone();
    }

    @Test
    void itIsUnprivilegedAndGainsNoPrivileges() throws Exception {
        assertThat(text(shell("cat /proc/self/status; ls /sys/class/net")).lines())
                .contains(
                        "Uid:\t65532\t65532\t65532\t65532",
                        "CapInh:\t0000000000000000",
                        "CapPrm:\t0000000000000000",
                        "CapEff:\t0000000000000000",
                        "CapBnd:\t0000000000000000",
                        "CapAmb:\t0000000000000000",
                        "NoNewPrivs:\t1",
                        "Seccomp:\t2",
                        "lo");
    }

    @Test
    void aUserThatIsRootUnderAnotherNameIsReplaced() throws Exception {
        String made = podman.run("create", Specs.IMAGE).strip();
        podman.run("commit", "--quiet", "--change", "USER toor", made, "orloj-test/toor");
        podman.run("rm", made);

        DockerContainer container =
                engine.start(Specs.of("orloj-test/toor", List.of("id", "-u"), List.of()));

        assertThat(text(container)).isEqualTo("65532\n");
    }

    /** Podman makes two more folders writable than Docker, and lets programs be run from them. */
    @Test
    void nothingThatItWritesIsRunNorHasRoomWithoutEnd() throws Exception {
        String attempts =
                """
                const fs = require('fs'), {spawnSync} = require('child_process');
                const attempt = folder => {
                  try {
                    fs.copyFileSync('/bin/id', folder + '/own');
                  } catch (e) {
                    return 'refuses';
                  }
                  return spawnSync(folder + '/own').error ? 'keeps' : 'runs';
                };
                for (const folder of process.argv.slice(1)) console.log(folder, attempt(folder));
                """;
        DockerContainer program =
                engine.start(
                        Specs.of(
                                Specs.IMAGE,
                                List.of("node", "-e", attempts),
                                List.of(
                                        "/bin",
                                        "/srv",
                                        "/etc",
                                        "/dev",
                                        "/tmp",
                                        "/run",
                                        "/var/tmp",
                                        "/dev/shm")));

        assertThat(text(program).lines())
                .containsExactly(
                        "/bin refuses",
                        "/srv refuses",
                        "/etc refuses",
                        "/dev refuses",
                        "/tmp keeps",
                        "/run keeps",
                        "/var/tmp keeps",
                        "/dev/shm keeps");
        DockerContainer filling = shell("cat /dev/zero > /run/zero");
        assertThat(new String(filling.stderr().readAllBytes(), StandardCharsets.UTF_8))
                .contains("No space left on device");
    }

    @Test
    void limitsAreKept() throws Exception {
        DockerContainer greedy =
                engine.start(
                        Specs.program(
                                "node", "-e", "const a=[];for(;;)a.push(Buffer.alloc(1<<20,1))"));
        assertThat(greedy.exit().get(30, TimeUnit.SECONDS).signal()).contains(9);

        String bomb =
                "let n=0;const {spawn}=require('child_process');const more=()=>{const"
                        + " c=spawn('sleep',['20']);c.on('error',e=>{console.log(e.code);"
                        + "process.exit()});c.on('spawn',()=>++n<200?more():console.log('none'))};"
                        + "more()";
        assertThat(text(engine.start(Specs.program("node", "-e", bomb)))).isEqualTo("EAGAIN\n");
    }

    @Test
    void secretsAreFilesThatAreReadAndNotWritten() throws Exception {
        String content = Base64.getEncoder().encodeToString("s3cret".getBytes());
        ContainerSpec reader =
                Specs.program(
                        "sh", "-c", "cat /secrets/key; echo x > /secrets/key || echo ' refused'");

        DockerContainer container =
                engine.start(
                        Specs.withSecretFiles(reader, new SecretFile("/secrets/key", content)));

        assertThat(text(container)).isEqualTo("s3cret refused\n");
    }

    @Test
    void hostFoldersAreMountedAndReported(@TempDir Path folder) throws Exception {
        Path real = folder.toRealPath();
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(real.resolve("given"), "from the host");
        ContainerSpec script = Specs.program("sh", "-c", "cat /in/given; echo b > /out/yes; cat");

        DockerContainer container =
                engine.start(
                        Specs.withMounts(
                                script,
                                new HostMount(real, "/in", true),
                                new HostMount(real, "/out", false)));

        assertThat(posture(container).relaxations())
                .containsExactly(
                        "reads " + real + " of the host, at /in",
                        "writes to " + real + " of the host, at /out");
        await().untilAsserted(() -> assertThat(real.resolve("yes")).exists());
    }

    @Test
    void aProgramThatHeedsNothingIsKilledAndNothingIsLeft() throws Exception {
        DockerContainer heedsTheEnd = shell("cat > /dev/null; exit 3");
        DockerContainer deaf = shell(DEAF);

        heedsTheEnd.stop(GRACE);
        deaf.stop(SHORT_GRACE);

        assertThat(heedsTheEnd.exit()).isCompletedWithValue(ExitStatus.of(3));
        assertThat(deaf.exit().join().signal()).contains(9);
        assertThat(podman.containersOf(replica)).isEmpty();
    }

    @Test
    void programsShareAContainerAndHaveNoMoreThanIt() throws Exception {
        ExecTarget box = new ExecTarget.Shared(Specs.program("cat"));
        Workload first = exec(box, "echo $GREETING; cat");
        Workload second = exec(box, "while read line; do echo \"$line\"; done < /proc/self/status");

        assertThat(reader(first).readLine()).isEqualTo("hello");
        assertThat(reader(second).lines())
                .contains("CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2");
        assertThat(podman.containersOf(replica)).hasSize(1);
        assertThat(second.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(0));

        first.stop(GRACE);
        await().untilAsserted(() -> assertThat(podman.containersOf(replica)).isEmpty());
    }

    @Test
    void aProgramThatIgnoresTheEndOfItsInputIsKilledAndTheContainerGoesOn() throws Exception {
        ExecTarget.Shared box = new ExecTarget.Shared(Specs.program("cat"));
        try (SharedContainers.Lease lease = engine.shared().acquire(box)) {
            Workload deaf = exec(box, "echo ready; " + DEAF);
            assertThat(reader(deaf).readLine()).isEqualTo("ready");

            deaf.stop(SHORT_GRACE);

            assertThat(deaf.exit()).isDone();
            assertThat(podman.run("top", lease.container().name(), "args")).doesNotContain("trap");
            assertThat(lease.container().main().exit()).isNotDone();
        }
    }

    @Test
    void anEndBehindTheBackIsNoticed() throws Exception {
        DockerContainer container = shell("sleep 600");

        podman.run("rm", "--force", "--time", "0", container.name());

        container.removed().get(10, TimeUnit.SECONDS);
        assertThat(container.exit()).isDone();
    }

    @Test
    void anIsolatedNetworkIsRefusedAndNeverAnOpenOneInstead() {
        ContainerSpec spec =
                Specs.withIsolation(
                        Specs.program("cat"),
                        Specs.server().isolation().withNetwork(NetworkAccess.ISOLATED));

        assertThatThrownBy(() -> engine.start(spec))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContainingAll(
                        "No isolated network can be made for server \"test\"",
                        "Podman makes a network's bridge with its first container",
                        "set network.mode to none");
        assertThat(podman.containersOf(replica)).isEmpty();
        assertThat(podman.run("network", "ls", "--format", "{{.Name}}").lines())
                .containsExactly("podman");
    }

    private Workload exec(ExecTarget target, String script) throws InterruptedException {
        return engine.exec(target, List.of("sh", "-c", script), Map.of("GREETING", "hello"));
    }

    private static BufferedReader reader(Workload program) {
        return new BufferedReader(new InputStreamReader(program.stdout(), StandardCharsets.UTF_8));
    }
}
