package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.init.HostInit;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.testkit.NeedsPodman;
import dev.orloj.runtime.testkit.Podman;
import dev.orloj.runtime.workload.ExitStatus;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * H-32: Podman with an init and without one, whatever this machine has. Debian's package recommends
 * one of three, and only one of them is where Podman looks.
 */
@NeedsPodman
class PodmanInitTest {

    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final List<Path> NONE = List.of();

    private static Podman without;

    @BeforeAll
    static void start() {
        without = Podman.start(Path.of("/nowhere/catatonit"));
    }

    @AfterAll
    static void stop() {
        without.close();
    }

    private static ContainerEngine engine(Podman podman, List<Path> initPlaces) {
        EngineSettings settings = new EngineSettings(podman.host(), "test-" + UUID.randomUUID());
        return new ContainerEngine(settings, ContainerListener.NONE, initPlaces);
    }

    private static String firstProcess(ContainerEngine engine) throws Exception {
        DockerContainer container =
                engine.start(Specs.program("sh", "-c", "cat /proc/1/cmdline; exit 3"));
        String text = new String(container.stdout().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(container.exit().get(10, TimeUnit.SECONDS)).isEqualTo(ExitStatus.of(3));
        return text.replace('\0', ' ');
    }

    private static List<String> relaxations(DockerContainer container) {
        await().atMost(Duration.ofSeconds(10)).until(() -> container.posture().isPresent());
        return container.posture().orElseThrow().relaxations();
    }

    private static Path ofHost() {
        return HostInit.find(HostInit.PLACES).orElseThrow();
    }

    @Test
    void initOfThisHostTakesThePlaceOfTheOneThatPodmanDoesNotFind() throws Exception {
        try (ContainerEngine engine = engine(without, List.of(ofHost()))) {
            assertThat(firstProcess(engine)).startsWith("/dev/init -- sh -c cat");

            DockerContainer container = engine.start(Specs.program("sleep", "600"));
            assertThat(relaxations(container)).isEmpty();
            container.stop(Duration.ofMillis(300));
            // Process 1 would not take notice of the signal.
            assertThat(container.exit().join().signal()).contains(15);
        }
    }

    @Test
    void entrypointOfTheImageRunsBelowTheInitOfThisHost() throws Exception {
        try (ContainerEngine engine = engine(without, List.of(ofHost()))) {
            DockerContainer container = engine.start(Specs.server());

            assertThat(without.run("top", container.id(), "args").lines())
                    .anyMatch(line -> line.startsWith("/dev/init -- "))
                    .anyMatch(line -> line.contains("server.mjs") && !line.startsWith("/dev/init"));
        }
    }

    @Test
    void withoutAnyInitContainersStartAndTheirPostureNamesTheRemedy() throws Exception {
        try (ContainerEngine engine = engine(without, NONE)) {
            assertThat(firstProcess(engine)).startsWith("sh -c cat");

            DockerContainer container = engine.start(Specs.program("cat"));
            assertThat(relaxations(container))
                    .containsExactly(
                            "has no init process, since the engine finds none: install catatonit"
                                    + " on its host");
            container.stop(GRACE);
            assertThat(container.exit().join()).isEqualTo(ExitStatus.of(0));
        }
    }

    @Test
    void initThatPodmanFindsIsUsed() throws Exception {
        Podman with = Podman.start(ofHost());
        try (ContainerEngine engine = engine(with, NONE)) {
            assertThat(firstProcess(engine)).contains("init -- sh -c cat");
            assertThat(relaxations(engine.start(Specs.program("cat")))).isEmpty();
        } finally {
            with.close();
        }
    }
}
