package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.pod.PodTemplate;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PodReuse;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.TransportException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sessions with servers that ran before them. */
class AdoptedServersTest {

    private static final ServerDefinition SERVER =
            Definitions.withAddress(
                    Definitions.server("memory"),
                    new ServerAddress.Pod(
                            new ContainerSpec(
                                    new ContainerOwner("default", "memory", "uid-memory"),
                                    new ImageSource("mcp:1", PullPolicy.NEVER, Optional.empty()),
                                    List.of(),
                                    List.of(),
                                    Map.of(),
                                    List.of(),
                                    ContainerIsolation.DEFAULT,
                                    false,
                                    List.of()),
                            PodTemplate.NONE,
                            Duration.ofSeconds(1),
                            PodReuse.of("")));

    @RegisterExtension final SessionRig rig = new SessionRig();

    private static boolean isAdopted(FakeTransport connection) {
        return connection.earlierConnections() > 0;
    }

    @Test
    void serverIsGreetedAgain() throws InterruptedException {
        rig.transports.runAlready();

        rig.call(SERVER);

        assertThat(rig.transports.made()).hasSize(1);
        assertThat(rig.transports.count("initialize")).isEqualTo(1);
        assertThat(rig.listener.events()).noneMatch(event -> event.startsWith("not adopted"));
    }

    @Test
    void serverThatRefusesASecondHandshakeIsStartedAnewOnce() throws InterruptedException {
        rig.transports.runAlready();
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    if (isAdopted(connection)) {
                        throw new JsonRpcException(SessionRig.error(-32600));
                    }
                    return FakeTransports.initializeResult(params);
                });

        rig.call(SERVER);

        assertThat(rig.transports.made())
                .extracting(AdoptedServersTest::isAdopted)
                .containsExactly(true, false);
        assertThat(rig.transports.made().getFirst().isClosed()).isTrue();
        assertThat(rig.listener.events())
                .filteredOn(event -> event.startsWith("not adopted"))
                .singleElement()
                .asString()
                .startsWith("not adopted default/memory in c:");
    }

    @Test
    void serverThatDiesOfTheProbeIsStartedAnewWithoutOne() throws InterruptedException {
        rig.transports.runAlready();
        rig.transports.on(
                "server/discover",
                (connection, params) -> {
                    connection.die("it does not know the request");
                    throw new TransportException("it is dead", true);
                });

        rig.call(SERVER);

        assertThat(rig.transports.count("server/discover")).isEqualTo(1);
        assertThat(rig.transports.latest().received()).startsWith("initialize");
    }

    /** A new server that fails is the failure of the opening. */
    @Test
    void serverThatDoesNotStartAnewIsNotTriedAThirdTime() {
        rig.transports.runAlready();
        rig.transports.on(
                "initialize",
                (connection, params) -> {
                    throw new JsonRpcException(SessionRig.error(-32600));
                });

        assertThatThrownBy(() -> rig.call(SERVER)).isInstanceOf(SessionOpenException.class);

        assertThat(rig.transports.made()).hasSize(2);
        assertThat(rig.listener.events())
                .filteredOn(event -> event.startsWith("not adopted"))
                .hasSize(1);
    }
}
