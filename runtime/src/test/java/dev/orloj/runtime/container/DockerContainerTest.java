package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.HostMount;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Containers as workloads, on the engine of this machine. */
@NeedsDocker
class DockerContainerTest {

    private static final String DEAF = "trap '' TERM; while :; do sleep 0.1; done";
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration SHORT_GRACE = Duration.ofMillis(300);

    private final String replica = "test-" + UUID.randomUUID();
    private final ContainerEngine engine =
            new ContainerEngine(new EngineSettings("", replica), ContainerListener.NONE);

    @AfterEach
    void close() {
        engine.close();
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void whatGoesInComesOut() throws Exception {
        DockerContainer container = engine.start(Specs.program("cat"));
        byte[] sent = "one\ntwo\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);

        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        container.stdin().write(sent);
                                    } catch (IOException e) {
                                        throw new AssertionError(e);
                                    }
                                });
        byte[] received = container.stdout().readNBytes(sent.length);
        writer.join();

        assertThat(received).isEqualTo(sent);
    }

    @Test
    void bothOutputsAreKeptApart() throws Exception {
        DockerContainer container =
                engine.start(Specs.program("sh", "-c", "echo out; echo err >&2"));

        assertThat(text(container.stdout().readAllBytes())).isEqualTo("out\n");
        assertThat(text(container.stderr().readAllBytes())).isEqualTo("err\n");
    }

    @Test
    void theEndOfStdinEndsAProgramThatHeedsIt() throws Exception {
        DockerContainer container =
                engine.start(Specs.program("sh", "-c", "cat >/dev/null; exit 7"));

        container.stop(GRACE);

        assertThat(container.exit()).isCompletedWithValue(ExitStatus.of(7));
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void aProgramThatIgnoresTheEndIsTerminatedAndThenKilled() throws Exception {
        DockerContainer heedsTerm =
                engine.start(
                        Specs.program(
                                "sh", "-c", "trap 'exit 9' TERM; while :; do sleep 0.1; done"));
        DockerContainer deaf = engine.start(Specs.program("sh", "-c", DEAF));

        heedsTerm.stop(Duration.ofSeconds(1));
        deaf.stop(SHORT_GRACE);

        assertThat(heedsTerm.exit()).isCompletedWithValue(ExitStatus.of(9));
        assertThat(deaf.exit().join().signal()).contains(9);
        assertThat(deaf.exit().join().outOfMemory()).isFalse();
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    /** An orlojd that stopped among twenty starts left fourteen containers behind. */
    @Test
    void whatIsBeingStartedDoesNotOutliveTheEngine() {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                callers.submit(() -> engine.start(Specs.program("sh", "-c", DEAF)));
            }
            await().until(() -> !Docker.containersOf(replica).isEmpty());

            engine.close();

            assertThat(Docker.containersOf(replica)).isEmpty();
        }
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void theExitCodeIsKnownThoughTheContainerIsRemovedAtOnce() throws Exception {
        DockerContainer container = engine.start(Specs.program("sh", "-c", "exit 3"));

        assertThat(container.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(3));
    }

    @Test
    void outOfMemoryIsDistinguishedFromOtherKills() throws Exception {
        DockerContainer container =
                engine.start(
                        Specs.program(
                                "node", "-e", "const a=[];for(;;)a.push(Buffer.alloc(1<<20,1))"));

        assertThat(container.exit().get(30, TimeUnit.SECONDS))
                .isEqualTo(new ExitStatus(137, true))
                .hasToString("signal 9 (SIGKILL), out of memory");
    }

    @Test
    void argumentsGoToTheEntrypointOfTheImageOrOfTheManifest() throws Exception {
        DockerContainer own =
                engine.start(
                        Specs.of(
                                Specs.IMAGE,
                                List.of("sh", "-c"),
                                List.of("echo $0 $1", "a b", "c")));

        assertThat(text(own.stdout().readAllBytes())).isEqualTo("a b c\n");
    }

    @Test
    void variablesReachTheProgramAndNoCommandLine() throws Exception {
        DockerContainer container =
                engine.start(
                        Specs.withEnv(
                                Specs.program("sh", "-c", "echo $TOKEN; cat"),
                                Map.of("TOKEN", "s3cret=with space")));

        assertThat(text(container.stdout().readNBytes(18))).isEqualTo("s3cret=with space\n");
        assertThat(ProcessHandle.allProcesses().map(p -> p.info().commandLine().orElse("")))
                .noneMatch(line -> line.contains("s3cret=with"));
    }

    @Test
    void anUnknownImageIsNamed() {
        assertThatThrownBy(() -> engine.start(Specs.of("orloj-test/none:1", List.of(), List.of())))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("\"orloj-test/none:1\"");
    }

    @Test
    void aProgramThatTheImageDoesNotHaveIsNamed() throws Exception {
        DockerContainer container = engine.start(Specs.program("/bin/missing"));

        assertThat(text(container.stderr().readAllBytes())).contains("/bin/missing");
        assertThat(container.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(127));
    }

    @Test
    void anEngineThatIsNotThereIsNamedWithTheRemedy() {
        try (ContainerEngine nowhere =
                new ContainerEngine(
                        new EngineSettings("unix:///nowhere.sock", replica),
                        ContainerListener.NONE)) {
            assertThatThrownBy(() -> nowhere.start(Specs.server()))
                    .isInstanceOf(WorkloadException.class)
                    .hasMessageContaining("unix:///nowhere.sock")
                    .hasMessageContaining("--container-host");
        }
    }

    @Test
    void aFloodOfOutputWaitsForItsReader() throws Exception {
        DockerContainer container = engine.start(Specs.program("sh", "-c", "cat /dev/zero"));
        Runtime runtime = Runtime.getRuntime();
        container.stdout().readNBytes(1024 * 1024);
        System.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();

        assertThat(container.exit().copy().completeOnTimeout(null, 1, TimeUnit.SECONDS).join())
                .isNull();

        System.gc();
        assertThat(runtime.totalMemory() - runtime.freeMemory() - before)
                .isLessThan(8 * 1024 * 1024);
    }

    @Test
    void thePostureIsWhatTheEngineSays() throws Exception {
        CompletableFuture<Posture> reported = new CompletableFuture<>();
        ContainerListener listener =
                new ContainerListener() {
                    @Override
                    public void started(ContainerOwner owner, Posture posture) {
                        reported.complete(posture);
                    }
                };
        try (ContainerEngine listened =
                new ContainerEngine(new EngineSettings("", replica), listener)) {
            DockerContainer container =
                    listened.start(
                            Specs.withIsolation(
                                    Specs.program("cat"),
                                    Specs.server()
                                            .isolation()
                                            .withUser("0")
                                            .withNetwork(NetworkAccess.BRIDGE)));

            Posture posture = reported.get(10, TimeUnit.SECONDS);

            assertThat(posture.user()).isEqualTo("0:0");
            assertThat(posture.network()).isEqualTo("bridge");
            assertThat(posture.limits()).isEqualTo(ContainerLimits.DEFAULT);
            assertThat(posture.relaxations())
                    .contains("runs as root", "reaches the host and other containers");
            assertThat(posture.imageId()).isEqualTo(Docker.inspect(container.id(), "{{.Image}}"));
            assertThat(container.pid().map(Object::toString))
                    .contains(Docker.inspect(container.id(), "{{.State.Pid}}"));
        }
    }

    @Test
    void hostFoldersAreMountedAndReported(@TempDir Path folder) throws Exception {
        Path real = folder.toRealPath();
        Files.writeString(real.resolve("given"), "from the host");
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxrwxrwx"));
        ContainerSpec script =
                Specs.program(
                        "sh",
                        "-c",
                        "cat /in/given; echo a > /in/no; echo b > /out/yes; ls /in /out; cat");

        DockerContainer container =
                engine.start(
                        Specs.withMounts(
                                script,
                                new HostMount(real, "/in", true),
                                new HostMount(real, "/out", false)));

        await().untilAsserted(
                        () ->
                                assertThat(container.posture().orElseThrow().relaxations())
                                        .contains(
                                                "reads " + real + " of the host, at /in",
                                                "writes to " + real + " of the host, at /out"));
        container.stop(GRACE);
        assertThat(text(container.stdout().readAllBytes()))
                .startsWith("from the host")
                .contains("yes")
                .doesNotContain("no\n");
        assertThat(real.resolve("yes")).exists();
        assertThat(real.resolve("no")).doesNotExist();
    }

    /** A link that is put in place between the check and the start leads the engine elsewhere. */
    @Test
    void aContainerWhoseFolderHasBecomeALinkIsKilled(@TempDir Path folder) throws Exception {
        Path secret = Files.createDirectory(folder.resolve("secret"));
        Path link = Files.createSymbolicLink(folder.resolve("workspace"), secret);

        DockerContainer container =
                engine.start(
                        Specs.withMounts(
                                Specs.program("sh", "-c", "sleep 600"),
                                new HostMount(link, "/workspace", true)));

        assertThat(container.exit().get(10, TimeUnit.SECONDS).signal()).isPresent();
        assertThat(container.posture()).isEmpty();
    }

    @Test
    void theEngineHasBeenAskedForAllThatClosesAContainerIn() throws Exception {
        DockerContainer container = engine.start(Specs.program("cat"));

        String host = Docker.inspect(container.name(), "{{json .HostConfig}}");

        assertThat(host)
                .contains("\"ReadonlyRootfs\":true")
                .contains("\"CapDrop\":[\"ALL\"]")
                .contains("\"CapAdd\":null")
                .contains("\"no-new-privileges:true\"")
                .contains("\"Privileged\":false")
                .contains("\"Init\":true")
                .contains("\"AutoRemove\":true")
                .contains("\"Memory\":134217728,\"NanoCpus\":500000000")
                .contains("\"MemorySwap\":134217728")
                .contains("\"PidsLimit\":64")
                .contains("\"IpcMode\":\"private\"")
                .contains("\"CgroupnsMode\":\"private\"")
                .contains("\"NetworkMode\":\"none\"");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
