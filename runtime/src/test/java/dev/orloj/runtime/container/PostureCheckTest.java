package dev.orloj.runtime.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.core.DockerClientConfig;

import dev.orloj.runtime.container.engine.EngineFacts;
import dev.orloj.runtime.container.image.Image;
import dev.orloj.runtime.container.init.InitProcess;
import dev.orloj.runtime.container.network.ContainerNetworks;
import dev.orloj.runtime.container.secret.SecretMounts;
import dev.orloj.runtime.container.spec.ContainerUser;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * What engines report that they have done. Their answers are recorded, without what is not looked
 * at: of Docker 20.10, and of Podman 4.3.1 at the socket that speaks as Docker does.
 */
class PostureCheckTest {

    private static final ObjectMapper JSON = DockerClientConfig.getDefaultObjectMapper();
    private static final String DOCKER = "docker-20.10";
    private static final String PODMAN = "podman-4.3.1";

    private static final BooleanSupplier NOT_ASKED =
            () -> {
                throw new AssertionError("the word of the engine is enough");
            };

    private static final ContainerRecipe ASKED =
            new ContainerRecipe(
                    Specs.server(),
                    new Image(
                            Specs.IMAGE,
                            "sha256:1",
                            List.of(),
                            "",
                            List.of(),
                            Map.of(),
                            List.of(),
                            List.of()),
                    ContainerUser.UNPRIVILEGED,
                    new SecretMounts(
                            Path.of("/dev/shm/orloj-secrets"),
                            Map.of("/secrets/key", Path.of("/dev/shm/orloj-secrets/key"))),
                    new ContainerNetworks.Attachment("none", Map.of()),
                    Map.of(),
                    new EngineFacts(true, false, false),
                    new InitProcess.OfEngine());

    private static ObjectNode recorded(String engine) throws IOException {
        try (InputStream answer =
                PostureCheckTest.class.getResourceAsStream("/engine/" + engine + ".json")) {
            return (ObjectNode) JSON.readTree(Objects.requireNonNull(answer));
        }
    }

    private static Posture check(ObjectNode answer, BooleanSupplier kernel) throws IOException {
        InspectContainerResponse found = JSON.treeToValue(answer, InspectContainerResponse.class);
        return new PostureCheck(ASKED, found, kernel).posture();
    }

    @Test
    void wordOfDockerIsEnough() throws Exception {
        assertThat(check(recorded(DOCKER), NOT_ASKED).relaxations()).isEmpty();
    }

    @Test
    void podmanAndTheKernelTogetherAreEnough() throws Exception {
        assertThat(check(recorded(PODMAN), () -> true).relaxations()).isEmpty();
    }

    /** The names are missing from what the configuration gives, and what that is, is unknown. */
    @Test
    void capabilitiesThatWereDroppedOneByOneProveNothing() throws Exception {
        assertThatThrownBy(() -> check(recorded(PODMAN), () -> false))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("it has capabilities, or is not known to have none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Privileged | true | it is privileged",
                "ReadonlyRootfs | false | its root can be written to",
                "CapAdd | [\"SYS_ADMIN\"] | it has capabilities",
                "SecurityOpt | [] | it may gain privileges",
                "SecurityOpt | [\"no-new-privileges:false\"] | it may gain privileges",
                "PidMode | \"host\" | it sees processes that are not its own",
                "PidMode | \"container:other\" | it sees processes that are not its own",
                "IpcMode | \"host\" | it shares memory with others",
                "CgroupnsMode | \"host\" | it sees the control groups of the host",
                "NetworkMode | \"host\" | it uses a network that is not its own",
                "NetworkMode | \"ns:/proc/1/ns/net\" | it uses a network that is not its own",
                "Tmpfs | {\"/run\": \"rw,nosuid,size=1\"} | what it writes to \"/run\" can be run",
                "Tmpfs | {\"/run\": \"rw,nosuid,noexec\"} | what it writes to \"/run\" can be run",
            })
    void whateverIsOpenIsNamedForEachEngine(String field, String value, String expected)
            throws Exception {
        for (String engine : List.of(DOCKER, PODMAN)) {
            ObjectNode answer = recorded(engine);
            ((ObjectNode) answer.path("HostConfig")).set(field, JSON.readTree(value));

            assertThatThrownBy(() -> check(answer, () -> true))
                    .as(engine)
                    .isInstanceOf(WorkloadException.class)
                    .hasMessageContaining(expected);
        }
    }

    @Test
    void anotherUserAndMoreOfTheHostThanWasAskedForAreNamed() throws Exception {
        for (String engine : List.of(DOCKER, PODMAN)) {
            ObjectNode answer = recorded(engine);
            ((ObjectNode) answer.path("Config")).put("User", "0");
            ((ObjectNode) answer.path("Mounts").path(0)).put("RW", true);

            assertThatThrownBy(() -> check(answer, () -> true))
                    .as(engine)
                    .hasMessageContainingAll(
                            "it runs as \"0\"",
                            "it sees \"/dev/shm/orloj-secrets/key\" of the host");
        }
    }

    @Test
    void limitsThatTheEngineDoesNotKeepAreReported() throws Exception {
        for (String engine : List.of(DOCKER, PODMAN)) {
            ObjectNode answer = recorded(engine);
            ObjectNode host = (ObjectNode) answer.path("HostConfig");
            List.of("Memory", "MemorySwap", "NanoCpus", "PidsLimit").forEach(l -> host.put(l, 0));

            assertThat(check(answer, () -> true).relaxations())
                    .as(engine)
                    .containsExactly(
                            "the engine does not limit its memory",
                            "the engine does not keep it from swapping",
                            "the engine does not limit its processors",
                            "the engine does not limit its processes");
        }
    }
}
