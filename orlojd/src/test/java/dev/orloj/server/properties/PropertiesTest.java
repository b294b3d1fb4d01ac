package dev.orloj.server.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.controllers.sandbox.PolicyLevel;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.pod.PodSettings;
import dev.orloj.server.config.AdvertisedAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import javax.crypto.SecretKey;

/** Every property of every subsystem, with its default and with another value. */
class PropertiesTest {

    private static final PodProperties NO_PODS =
            new PodProperties("", "", Path.of("/nowhere"), List.of(), false);

    @TempDir Path folder;

    private static <T> T bind(String prefix, Class<T> type, Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(prefix, type);
    }

    @Test
    void databaseIsEmbeddedUnlessAUrlIsGiven() {
        DatabaseProperties defaults = bind("orloj.database", DatabaseProperties.class, Map.of());
        assertThat(defaults)
                .isEqualTo(new DatabaseProperties(null, null, null, 16, Duration.ofMinutes(1)));
        assertThat(defaults.isEmbedded()).isTrue();

        DatabaseProperties given =
                bind(
                        "orloj.database",
                        DatabaseProperties.class,
                        Map.of(
                                "orloj.database.url", "jdbc:postgresql://db/orloj",
                                "orloj.database.user", "me",
                                "orloj.database.connections", "4",
                                "orloj.database.socket-timeout", "0"));
        assertThat(given)
                .isEqualTo(
                        new DatabaseProperties(
                                "jdbc:postgresql://db/orloj", "me", null, 4, Duration.ZERO));
        assertThat(given.isEmbedded()).isFalse();
    }

    @Test
    void passwordIsTheFileWithoutItsLineEnd() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "s3cret\n");

        assertThat(new DatabaseProperties("url", null, file, 2, Duration.ZERO).password())
                .isEqualTo("s3cret");
    }

    @Test
    void controllersHaveDefaultsAndTakeOtherValues() {
        assertThat(bind("orloj.controllers", ControllerProperties.class, Map.of()))
                .isEqualTo(controllers(16, 300, 30, 5, 3600));
        Map<String, String> given =
                Map.of(
                        "orloj.controllers.workers", "3",
                        "orloj.controllers.resync-period", "10s",
                        "orloj.controllers.startup-timeout", "11s",
                        "orloj.controllers.shutdown-grace", "12s",
                        "orloj.controllers.event-ttl", "13s");
        assertThat(bind("orloj.controllers", ControllerProperties.class, given))
                .isEqualTo(controllers(3, 10, 11, 12, 13));
    }

    private static ControllerProperties controllers(
            int workers, int resync, int start, int stop, int events) {
        return new ControllerProperties(
                workers,
                Duration.ofSeconds(resync),
                Duration.ofSeconds(start),
                Duration.ofSeconds(stop),
                Duration.ofSeconds(events));
    }

    @Test
    void shutdownHasNoDelayByDefaultAndBothTimesHaveABound() {
        assertThat(bind("orloj.shutdown", ShutdownProperties.class, Map.of()))
                .isEqualTo(new ShutdownProperties(Duration.ofSeconds(4), Duration.ZERO));
        Duration day = Duration.ofHours(24);
        assertThat(new ShutdownProperties(day, day).total()).isEqualTo(Duration.ofHours(48));
        assertThatThrownBy(() -> new ShutdownProperties(Duration.ZERO, day.plusMillis(1)))
                .hasMessage("orloj.shutdown.delay is PT24H0.001S; give 0s to 24h");
        assertThatThrownBy(() -> new ShutdownProperties(Duration.ofMillis(-1), Duration.ZERO))
                .hasMessage("orloj.shutdown.call-grace is PT-0.001S; give 0s to 24h");
    }

    @Test
    void processesHaveNoCeilingUnlessOneIsGiven() {
        assertThat(bind("orloj.processes", ProcessProperties.class, Map.of()))
                .isEqualTo(new ProcessProperties(0, new ByteSize("0"), List.of()));
        assertThat(
                        bind(
                                "orloj.processes",
                                ProcessProperties.class,
                                Map.of(
                                        "orloj.processes.max", "20",
                                        "orloj.processes.max-memory", "2Gi",
                                        "orloj.processes.user", "mcp,web=mcp-web")))
                .isEqualTo(
                        new ProcessProperties(
                                20, new ByteSize("2Gi"), List.of("mcp", "web=mcp-web")));
        assertThatThrownBy(() -> new ProcessProperties(-1, new ByteSize("0"), List.of()))
                .hasMessageContaining("orloj.processes.max");
        assertThatThrownBy(
                        () ->
                                new ProcessProperties(
                                        0, new ByteSize("0"), List.of("web=a", "web=b")))
                .hasMessage("orloj.processes.user \"web=b\": the namespace has another user");
    }

    /** H-02. */
    @Test
    void toolListsHaveCeilings() {
        assertThat(bind("orloj.tool-limits", ToolLimitProperties.class, Map.of()).ceilings())
                .isEqualTo(ListingLimits.Ceilings.DEFAULT);
        assertThat(
                        bind(
                                        "orloj.tool-limits",
                                        ToolLimitProperties.class,
                                        Map.of(
                                                "orloj.tool-limits.max-tools", "100000",
                                                "orloj.tool-limits.max-bytes", "1Gi",
                                                "orloj.tool-limits.max-pages", "7"))
                                .ceilings())
                .isEqualTo(new ListingLimits.Ceilings(100_000, 1L << 30, 7));
        assertThatThrownBy(() -> new ToolLimitProperties(0, new ByteSize("1"), 1))
                .hasMessageContaining("orloj.tool-limits.max-tools is 0");
    }

    /** H-06 */
    @Test
    void messagesHaveSixteenMebibytesAndHalfOfTheHeapUnlessConfigured() {
        assertThat(bind("orloj.messages", MessageProperties.class, Map.of()))
                .isEqualTo(new MessageProperties(new ByteSize("16m"), new ByteSize("0")));
        MessageProperties given =
                bind(
                        "orloj.messages",
                        MessageProperties.class,
                        Map.of("orloj.messages.max-size", "1m", "orloj.messages.memory", "8m"));
        assertThat(given.limits(1).maxMessageBytes()).isEqualTo(1024 * 1024);
        assertThat(given.limits(1).budget().mostHeld()).isEqualTo(4 * 1024 * 1024);
        assertThatThrownBy(() -> new MessageProperties(new ByteSize("1k"), new ByteSize("0")))
                .hasMessageContaining("orloj.messages.max-size");
        assertThatThrownBy(() -> new MessageProperties(new ByteSize("1m"), new ByteSize("1k")))
                .hasMessageContaining("orloj.messages.memory");
    }

    @Test
    void collectorIsNoneUnlessOneIsGiven() {
        assertThat(bind("orloj.telemetry", TelemetryProperties.class, Map.of()))
                .isEqualTo(new TelemetryProperties(""));
        assertThat(
                        bind(
                                "orloj.telemetry",
                                TelemetryProperties.class,
                                Map.of("orloj.telemetry.otlp-endpoint", "https://otel:4318")))
                .isEqualTo(new TelemetryProperties("https://otel:4318"));
        assertThatThrownBy(() -> new TelemetryProperties("localhost:4318"))
                .hasMessageContaining("orloj.telemetry.otlp-endpoint is \"localhost:4318\"");
    }

    @Test
    void remoteAccessHasToBeAskedFor() {
        assertThat(bind("orloj.security", SecurityProperties.class, Map.of()))
                .isEqualTo(new SecurityProperties(false, false, Set.of()));
        assertThat(
                        bind(
                                "orloj.security",
                                SecurityProperties.class,
                                Map.of(
                                        "orloj.security.insecure-remote-access",
                                        "true",
                                        "orloj.security.allowed-origins",
                                        "http://localhost:3000")))
                .isEqualTo(new SecurityProperties(true, false, Set.of("http://localhost:3000")));
    }

    @Test
    void webPagesHaveToBeLetIn() {
        assertThat(bind("orloj.mcp", McpProperties.class, Map.of()))
                .isEqualTo(new McpProperties(Set.of(), Duration.ofMinutes(10), false));
        assertThat(
                        bind(
                                "orloj.mcp",
                                McpProperties.class,
                                Map.of(
                                        "orloj.mcp.allowed-origins",
                                        "https://a.example,null",
                                        "orloj.mcp.input-timeout",
                                        "30s",
                                        "orloj.mcp.expose-sse",
                                        "true")))
                .isEqualTo(
                        new McpProperties(
                                Set.of("https://a.example", "null"), Duration.ofSeconds(30), true));
    }

    @Test
    void replicaAdvertisesWhereItListensUnlessConfiguredOtherwise() {
        assertThat(bind("orloj.replica", ReplicaProperties.class, Map.of()))
                .isEqualTo(new ReplicaProperties(""));
        assertThat(advertised("", "127.0.0.1")).contains(URI.create("http://127.0.0.1:8080"));
        assertThat(advertised("", "::1")).contains(URI.create("http://[0:0:0:0:0:0:0:1]:8080"));
        assertThat(
                        bind(
                                "orloj.replica",
                                ReplicaProperties.class,
                                Map.of("orloj.replica.advertise-url", "https://one:1")))
                .isEqualTo(new ReplicaProperties("https://one:1"));
        assertThat(advertised("https://one:1", "0.0.0.0")).contains(URI.create("https://one:1"));
        assertThat(advertised("none", "127.0.0.1")).isEmpty();
        assertThatThrownBy(() -> new ReplicaProperties("one:1"))
                .hasMessageContaining("orloj.replica.advertise-url is \"one:1\"");
    }

    private static Optional<URI> advertised(String configured, String listening) {
        return AdvertisedAddress.of(new ReplicaProperties(configured), listening, 8080);
    }

    @Test
    void answersOfCallsAreKeptForAnHourUnlessConfiguredOtherwise() {
        assertThat(bind("orloj.calls", CallProperties.class, Map.of()))
                .isEqualTo(new CallProperties(Duration.ofHours(1)));
        assertThat(bind("orloj.calls", CallProperties.class, Map.of("orloj.calls.kept", "5m")))
                .isEqualTo(new CallProperties(Duration.ofMinutes(5)));
        assertThatThrownBy(() -> new CallProperties(Duration.ZERO))
                .hasMessageContaining("orloj.calls.kept");
    }

    @Test
    void podsHaveDefaultsAndTakeOtherValues() {
        assertThat(bind("orloj.pods", PodProperties.class, Map.of()))
                .isEqualTo(
                        new PodProperties("", "", PodSettings.SERVICE_ACCOUNT, List.of(), false));
        assertThat(
                        bind(
                                "orloj.pods",
                                PodProperties.class,
                                Map.of(
                                        "orloj.pods.namespace", "mcp",
                                        "orloj.pods.owner", "orloj-pods",
                                        "orloj.pods.service-account", "/srv/account",
                                        "orloj.pods.metadata-keys", "a.example/*,team",
                                        "orloj.pods.adoption", "true")))
                .isEqualTo(
                        new PodProperties(
                                "mcp",
                                "orloj-pods",
                                Path.of("/srv/account"),
                                List.of("a.example/*", "team"),
                                true));
    }

    @Test
    void orlojdOutsideOfAClusterRunsContainersUnlessPodsAreRequired() {
        assertThat(
                        bind("orloj.containers", ContainerProperties.class, Map.of())
                                .toPolicy(List.of(), NO_PODS)
                                .engine())
                .isEqualTo(ServerEngine.CONTAINER);
        assertThat(
                        bind(
                                        "orloj.containers",
                                        ContainerProperties.class,
                                        Map.of("orloj.containers.engine", "pod"))
                                .toPolicy(List.of(), NO_PODS)
                                .engine())
                .isEqualTo(ServerEngine.POD);
        assertThatThrownBy(() -> NO_PODS.toSettings("one", PropertiesTest::noKey))
                .hasMessageContaining("--container-engine");
    }

    @Test
    void podsThatRunOnNeedAnOwner() {
        PodProperties pods =
                bind(
                        "orloj.pods",
                        PodProperties.class,
                        Map.of("orloj.pods.adoption", "true", "orloj.pods.owner", " "));

        assertThatThrownBy(() -> pods.toSettings("one", PropertiesTest::noKey))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContainingAll("--pod-adoption", "--pod-owner");
    }

    private static SecretKey noKey() {
        throw new IllegalStateException("no key is needed");
    }

    @Test
    void containersHaveDefaultsAndTakeOtherValues() {
        assertThat(bind("orloj.containers", ContainerProperties.class, Map.of()))
                .isEqualTo(
                        new ContainerProperties(
                                PodProperties.Engine.AUTO,
                                "",
                                new ByteSize("128m"),
                                new CpuAmount("0.50"),
                                64,
                                ContainerNetwork.Mode.ISOLATED,
                                "",
                                "",
                                null,
                                null,
                                null,
                                PolicyLevel.BASELINE,
                                List.of()));
        Map<String, String> given =
                Map.ofEntries(
                        Map.entry("orloj.containers.engine", "pod"),
                        Map.entry("orloj.containers.host", "tcp://engine:2375"),
                        Map.entry("orloj.containers.memory", "1Gi"),
                        Map.entry("orloj.containers.cpus", "2"),
                        Map.entry("orloj.containers.pids-limit", "7"),
                        Map.entry("orloj.containers.network", "bridge"),
                        Map.entry("orloj.containers.user", "1000"),
                        Map.entry("orloj.containers.runtime", "runsc"),
                        Map.entry("orloj.containers.max-memory", "2Gi"),
                        Map.entry("orloj.containers.max-cpus", "4"),
                        Map.entry("orloj.containers.max-pids-limit", "8"),
                        Map.entry("orloj.containers.policy", "privileged"),
                        Map.entry("orloj.containers.mount-roots", "/srv/a,/srv/b"));
        assertThat(bind("orloj.containers", ContainerProperties.class, given))
                .isEqualTo(
                        new ContainerProperties(
                                PodProperties.Engine.POD,
                                "tcp://engine:2375",
                                new ByteSize("1Gi"),
                                new CpuAmount("2"),
                                7,
                                ContainerNetwork.Mode.BRIDGE,
                                "1000",
                                "runsc",
                                new ByteSize("2Gi"),
                                new CpuAmount("4"),
                                8,
                                PolicyLevel.PRIVILEGED,
                                List.of(Path.of("/srv/a"), Path.of("/srv/b"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orloj.containers.network | bridge | --tool-container-network bridge is more than"
                        + " --sandbox-policy baseline allows",
                "orloj.containers.user | 0:0 | --tool-container-user 0:0 is more than"
                        + " --sandbox-policy baseline allows",
                "orloj.containers.max-memory | 64m | must be at most 64m, the ceiling"
                        + " --tool-container-max-memory of orlojd",
                "orloj.containers.mount-roots | /nowhere/at/all | --sandbox-mount-root"
                        + " /nowhere/at/all is not an absolute path of a folder",
                "orloj.containers.host | unix: | --container-host, DOCKER_HOST or the Docker"
                    + " context cannot be read: Expected scheme-specific part at index 5: unix:",
                "orloj.containers.host | unix://docker.sock | --container-host"
                        + " \"unix://docker.sock\" names no engine; give unix:///PATH/OF/SOCKET",
                "orloj.containers.mount-roots | /proc/1 | --sandbox-mount-root /proc/1 belongs to"
                        + " the system or to orlojd",
            })
    void settingsOfContainersThatCannotBeAreRefused(
            String property, String value, String expected) {
        ContainerProperties given =
                bind("orloj.containers", ContainerProperties.class, Map.of(property, value));

        assertThatThrownBy(() -> given.toPolicy(List.of(Path.of("/srv/orloj")), NO_PODS))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void socketOfTheEngineAndFilesOfOrlojdAreWithheldFromSandboxes() throws Exception {
        Path root = folder.toRealPath();
        Path key = Files.writeString(root.resolve("secret.key"), "key");
        Path data = Files.createDirectory(root.resolve("data"));
        String before = System.setProperty("DOCKER_HOST", "unix://" + root + "/docker.sock");
        try {
            ContainerProperties given =
                    bind(
                            "orloj.containers",
                            ContainerProperties.class,
                            Map.of("orloj.containers.mount-roots", root.toString()));

            assertThat(given.toPolicy(List.of(data, key), NO_PODS).folders().withheld())
                    .contains(data, key, root.resolve("docker.sock"));
        } finally {
            if (before == null) {
                System.clearProperty("DOCKER_HOST");
            } else {
                System.setProperty("DOCKER_HOST", before);
            }
        }
    }

    @Test
    void valuesThatMakeNoSenseAreRefusedByName() {
        assertThatThrownBy(() -> new DatabaseProperties(null, null, null, 1, Duration.ZERO))
                .hasMessageContaining("orloj.database.connections");
        assertThatThrownBy(
                        () -> new DatabaseProperties(null, null, null, 2, Duration.ofMillis(999)))
                .hasMessageContaining("orloj.database.socket-timeout");
        assertThatThrownBy(() -> controllers(0, 300, 60, 5, 3600))
                .hasMessageContaining("orloj.controllers.workers");
        assertThatThrownBy(() -> controllers(1, 0, 60, 5, 3600))
                .hasMessageContaining("orloj.controllers.resync-period");
    }
}
