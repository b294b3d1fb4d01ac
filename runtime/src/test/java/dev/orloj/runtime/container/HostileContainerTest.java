package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.SecretFile;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.standard.StandardTransports;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.Supervisor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** What a server in a container tries against its host, and what comes of it. */
@NeedsDocker
class HostileContainerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final String replica = "test-" + UUID.randomUUID();
    private final ContainerEngine engine =
            new ContainerEngine(new EngineSettings("", replica), ContainerListener.NONE);
    private final Supervisor supervisor = new Supervisor();
    private final StandardTransports transports = new StandardTransports(supervisor, engine);
    private final LogBuffer log = new LogBuffer(InstantSource.system());
    private final AtomicReference<TransportException> death = new AtomicReference<>();
    private final List<Transport> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Transport::close);
        transports.close();
        engine.close();
        supervisor.close();
        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void itWritesNowhereButToFoldersInMemory() throws Exception {
        Transport server = open(Specs.server());

        for (String path : List.of("/file", "/srv/file", "/etc/passwd", "/bin/node", "/dev/file")) {
            assertThat(call(server, "write", "path", path)).as(path).startsWith("refused");
        }
        assertThat(call(server, "write", "path", "/tmp/file")).startsWith("done");
        assertThat(call(server, "run", "command", List.of("mount"))).contains("overlay on / type");
    }

    @Test
    void whatItWritesIntoMemoryIsNotRun() throws Exception {
        Transport server = open(Specs.server());
        // With its mode, without which it would not be run anywhere.
        String copy = "require('fs').copyFileSync('/bin/id', '/tmp/id')";
        assertThat(call(server, "run", "command", List.of("node", "-e", copy))).startsWith("0: ");

        assertThat(call(server, "run", "command", List.of("/tmp/id")))
                .startsWith("refused: EACCES");
        assertThat(call(server, "run", "command", List.of("/bin/id"))).startsWith("0: uid=65532");
    }

    @Test
    void itIsUnprivilegedAndGainsNoPrivileges() throws Exception {
        Transport server = open(Specs.server());

        assertThat(call(server, "identity").lines())
                .contains(
                        "Uid:\t65532\t65532\t65532\t65532",
                        "Gid:\t65532\t65532\t65532\t65532",
                        "CapPrm:\t0000000000000000",
                        "CapEff:\t0000000000000000",
                        "CapBnd:\t0000000000000000",
                        "NoNewPrivs:\t1",
                        "Seccomp:\t2");
        assertThat(call(server, "become_root")).isEqualTo("refused: EPERM");
    }

    /** A name of the image is no way to become root. */
    @Test
    void aUserThatIsRootUnderAnotherNameIsReplaced() throws Exception {
        Transport server =
                open(
                        Specs.withIsolation(
                                Specs.of(Images.withUser("toor"), List.of(), List.of()),
                                Specs.server().isolation()));
        Transport ordinary = open(Specs.of(Images.withUser("node"), List.of(), List.of()));

        assertThat(call(server, "identity")).contains("Uid:\t65532\t");
        assertThat(call(ordinary, "identity")).contains("Uid:\t1000\t");
    }

    /** H-26: the engine puts a uid that the image does not list into the group of root. */
    @Test
    void aUserWithoutAGroupIsNotInThatOfRoot() throws Exception {
        Transport server =
                open(
                        Specs.withIsolation(
                                Specs.server(), Specs.server().isolation().withUser("4711")));
        Transport image = open(Specs.of(Images.withUser("4711"), List.of(), List.of()));

        for (Transport each : List.of(server, image)) {
            assertThat(call(each, "identity").lines())
                    .contains("Uid:\t4711\t4711\t4711\t4711", "Gid:\t4711\t4711\t4711\t4711");
        }
    }

    @Test
    void aForkBombEndsAtTheLimit() throws Exception {
        Transport server = open(Specs.server());

        assertThat(call(server, "fork", "count", 200)).endsWith("then refused: EAGAIN");
        assertThat(call(server, "echo", "text", "still here")).isEqualTo("still here");
    }

    @Test
    void memoryBeyondTheLimitEndsItAndIsNamed() throws Exception {
        Transport server = open(Specs.server());

        assertThat(callThatKills(server, "allocate", "mebibytes", 512))
                .contains("signal 9 (SIGKILL), out of memory");
    }

    @Test
    void filesInMemoryCountAndHaveALimitOfTheirOwn() throws Exception {
        Transport server = open(Specs.server());

        assertThat(call(server, "run", "command", List.of("sh", "-c", "cat /dev/zero > /tmp/zero")))
                .contains("No space left on device");
    }

    @Test
    void theEndIsNotItsChoice() throws Exception {
        Transport server = open(Specs.server());
        assertThat(call(server, "ignore_end")).isEqualTo("deaf");

        server.close();

        assertThat(Docker.containersOf(replica)).isEmpty();
    }

    @Test
    void aSecretOfAnotherServerIsNowhereToBeFound() throws Exception {
        ContainerSpec first =
                Specs.withSecretFiles(Specs.server(), secret("/secrets/one", "first"));
        Transport owner = open(first);
        Transport other =
                open(Specs.withSecretFiles(Specs.server(), secret("/secrets/two", "second")));

        assertThat(call(owner, "read", "path", "/secrets/one")).isEqualTo("done: first");
        assertThat(call(owner, "write", "path", "/secrets/one")).startsWith("refused");
        assertThat(call(other, "read", "path", "/secrets/two")).isEqualTo("done: second");
        assertThat(call(other, "read", "path", "/secrets/one")).startsWith("refused: ENOENT");
        assertThat(call(other, "list", "path", "/dev/shm")).isEqualTo("done: ");
    }

    @Test
    void containerWithoutANetworkReachesNothing() throws Exception {
        Transport server = open(Specs.server());

        assertThat(call(server, "run", "command", List.of("cat", "/proc/net/dev")))
                .contains("lo:")
                .doesNotContain("eth0");
    }

    @Test
    void theEngineIsOutOfReach() throws Exception {
        Transport server = open(Specs.server());

        assertThat(call(server, "list", "path", "/var/run")).startsWith("refused: ENOENT");
        assertThat(call(server, "list", "path", "/run/docker.sock")).startsWith("refused");
    }

    @Test
    void noiseWithoutEndCostsNoMemory() throws Exception {
        Transport server = open(Specs.server());

        assertThat(call(server, "flood", "mebibytes", 64)).isEqualTo("64 MiB of noise");
        assertThat(server.stats().noiseLines()).isEqualTo(64 * 1024);
    }

    private static SecretFile secret(String path, String content) {
        return new SecretFile(
                path, Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)));
    }

    private Transport open(ContainerSpec spec) throws InterruptedException {
        Transport transport =
                transports.create(
                        new ServerAddress.Container(spec, Duration.ofMillis(300)), log, "hostile");
        opened.add(transport);
        transport.open(new Listener());
        ObjectNode offer = Json.MAPPER.createObjectNode().put("protocolVersion", "2025-11-25");
        transport.request("initialize", offer, TIMEOUT);
        return transport;
    }

    private static String call(Transport server, String tool) throws InterruptedException {
        return call(server, tool, "unused", "");
    }

    private static String call(Transport server, String tool, String argument, Object value)
            throws InterruptedException {
        ObjectNode params = Json.MAPPER.createObjectNode().put("name", tool);
        params.putObject("arguments").set(argument, Json.MAPPER.valueToTree(value));
        return server.request("tools/call", params, TIMEOUT).at("/content/0/text").asString();
    }

    /** How the server ended on this call. */
    private String callThatKills(Transport server, String tool, String argument, Object value) {
        try {
            return call(server, tool, argument, value);
        } catch (TransportException e) {
            await().atMost(TIMEOUT).until(() -> death.get() != null);
            return String.valueOf(death.get().getMessage());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private final class Listener implements TransportListener {

        @Override
        public void onNotification(String method, @Nullable JsonNode params) {}

        @Override
        public void onClosed(TransportException cause) {
            death.set(cause);
        }
    }
}
