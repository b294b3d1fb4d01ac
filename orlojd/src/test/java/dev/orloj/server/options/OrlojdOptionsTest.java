package dev.orloj.server.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.server.properties.ReplicaProperties;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

class OrlojdOptionsTest {

    @Test
    void optionsBecomeProperties() {
        assertThat(properties("--port", "0", "--data-dir", "/tmp/x", "--resync-period", "90s"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "server.port", "0",
                                "orloj.data-dir", "/tmp/x",
                                "orloj.controllers.resync-period", "PT1M30S"));
    }

    @Test
    void ceilingsAndTheGraceOfCallsBecomeProperties() {
        assertThat(
                        properties(
                                "--max-processes=20",
                                "--max-process-memory=2Gi",
                                "--shutdown-call-grace=0s",
                                "--shutdown-delay=5s"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "orloj.processes.max", "20",
                                "orloj.processes.max-memory", "2Gi",
                                "orloj.shutdown.call-grace", "PT0S",
                                "orloj.shutdown.delay", "PT5S"));
    }

    @Test
    void usersOfProcessesBecomeAProperty() {
        assertThat(properties("--process-user", "mcp", "--process-user", "web=mcp-web"))
                .isEqualTo(Map.of("orloj.processes.user", "mcp,web=mcp-web"));
    }

    @Test
    void addressesOfEndpointsBecomeProperties() {
        assertThat(
                        properties(
                                "--endpoint-deny=private,loopback",
                                "--endpoint-deny=203.0.113.0/24",
                                "--endpoint-allow=10.1.0.0/16"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "orloj.endpoints.deny", "private,loopback,203.0.113.0/24",
                                "orloj.endpoints.allow", "10.1.0.0/16"));
    }

    @Test
    void logsOfJsonAreThoseOfSpring() {
        assertThat(properties("--log-format", "json"))
                .isEqualTo(Map.of("logging.structured.format.console", "ecs"));
    }

    @Test
    void logIsAlsoSetByTheEnvironmentUnlessAnOptionIsGiven() {
        Map<String, String> environment =
                Map.of("ORLOJ_LOG_LEVEL", "debug", "ORLOJ_LOG_FORMAT", "json");

        assertThat(properties(environment))
                .isEqualTo(
                        Map.of(
                                "logging.level.dev.orloj", "debug",
                                "logging.structured.format.console", "ecs"));
        assertThat(properties(environment, "--log-level=warn", "--log-format=text"))
                .isEqualTo(
                        Map.of(
                                "logging.level.dev.orloj", "warn",
                                "logging.structured.format.console", ""));
        assertThat(properties(Map.of("ORLOJ_LOG_LEVEL", "", "ORLOJ_LOG_FORMAT", " "))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ORLOJ_LOG_LEVEL, loud", "ORLOJ_LOG_FORMAT, xml"})
    void badVariableEndsWithUsageError(String variable, String value) {
        assertThat(OrlojdOptions.parse(Map.of(variable, value)))
                .isEqualTo(new OrlojdOptions.Parsed.Exit(2));
    }

    @Test
    void collectorBecomesAProperty() {
        assertThat(properties("--otlp-endpoint=http://localhost:4318"))
                .isEqualTo(Map.of("orloj.telemetry.otlp-endpoint", "http://localhost:4318"));
    }

    @Test
    void olderWayForAgentsHasToBeAskedFor() {
        assertThat(properties("--expose-sse")).isEqualTo(Map.of("orloj.mcp.expose-sse", true));
    }

    @Test
    void addressForOtherReplicasBecomesAProperty() {
        assertThat(properties("--advertise-url=https://one.example:8443"))
                .isEqualTo(Map.of("orloj.replica.advertise-url", "https://one.example:8443"));
        assertThat(properties("--advertise-url=none"))
                .isEqualTo(Map.of("orloj.replica.advertise-url", "none"));
    }

    @Test
    void optionsOfContainersBecomeProperties() {
        assertThat(
                        properties(
                                "--container-host=unix:///run/podman.sock",
                                "--sandbox-policy=restricted",
                                "--tool-container-memory=256m",
                                "--tool-container-cpus=500m",
                                "--tool-container-pids-limit=32",
                                "--tool-container-network=none",
                                "--tool-container-user=1000:1000",
                                "--tool-container-runtime=runsc",
                                "--tool-container-max-memory=1Gi",
                                "--tool-container-max-cpus=2",
                                "--tool-container-max-pids-limit=512"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("orloj.containers.host", "unix:///run/podman.sock"),
                                Map.entry("orloj.containers.policy", "restricted"),
                                Map.entry("orloj.containers.memory", "256m"),
                                Map.entry("orloj.containers.cpus", "500m"),
                                Map.entry("orloj.containers.pids-limit", "32"),
                                Map.entry("orloj.containers.network", "none"),
                                Map.entry("orloj.containers.user", "1000:1000"),
                                Map.entry("orloj.containers.runtime", "runsc"),
                                Map.entry("orloj.containers.max-memory", "1Gi"),
                                Map.entry("orloj.containers.max-cpus", "2"),
                                Map.entry("orloj.containers.max-pids-limit", "512")));
    }

    @Test
    void nothingGivenOverridesNothing() {
        assertThat(properties()).isEmpty();
    }

    @Test
    void anAddressThatOthersReachNeedsASecondWord() {
        assertThat(OrlojdOptions.parse(Map.of(), "--host", "0.0.0.0"))
                .isEqualTo(new OrlojdOptions.Parsed.Exit(2));
        assertThat(properties("--host", "0.0.0.0", "--insecure-remote-access"))
                .containsEntry("orloj.security.insecure-remote-access", true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--port=many",
                "--port=70000",
                "--port=-1",
                "--bogus",
                "stray",
                "--resync-period=soon",
                "--resync-period=10ms",
                "--database-url=mysql://db",
                "--database-password-file=/nowhere/password",
                "--secret-key-file=/nowhere/key",
                "--host=not an address",
                "--max-processes=-1",
                "--max-process-memory=much",
                "--process-user=Web=mcp",
                "--process-user=-x",
                "--shutdown-call-grace=-1s",
                "--shutdown-delay=-1s",
                "--log-level=loud",
                "--log-format=xml",
                "--otlp-endpoint=localhost:4318",
                "--advertise-url=10.0.0.5:8080",
                "--container-host=docker",
                "--container-host=unix:",
                "--container-host=unix://docker.sock",
                "--sandbox-policy=strict",
                "--tool-container-memory=lots",
                "--tool-container-memory=99999999999999t",
                "--tool-container-cpus=-1",
                "--tool-container-pids-limit=0",
                "--tool-container-network=host",
                "--tool-container-user=root",
                "--tool-container-max-memory=1x",
                "--tool-container-max-cpus=all",
                "--tool-container-max-pids-limit=-3",
                "--pod-metadata-key=*",
                "--pod-metadata-key=a b"
            })
    void badOptionEndsWithUsageError(String argument) {
        assertThat(OrlojdOptions.parse(Map.of(), argument))
                .isEqualTo(new OrlojdOptions.Parsed.Exit(2));
    }

    /** Before, an empty one was as none, and a folder that is none was found much later. */
    @ParameterizedTest
    @DisplayName("20.8: an empty option and a root that is no folder are refused before the start")
    @ValueSource(
            strings = {
                "--data-dir=",
                "--data-dir= ",
                "--host=",
                "--secret-key-file=",
                "--database-password-file=",
                "--sandbox-mount-root=nowhere",
                "--sandbox-mount-root=/nowhere",
                "--sandbox-mount-root=/proc"
            })
    void emptyOptionAndUnusableRootAreRefusedFirst(String argument) {
        assertThat(OrlojdOptions.parse(Map.of(), argument))
                .isEqualTo(new OrlojdOptions.Parsed.Exit(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "--version"})
    void helpAndVersionEndWell(String argument) {
        assertThat(OrlojdOptions.parse(Map.of(), argument))
                .isEqualTo(new OrlojdOptions.Parsed.Exit(0));
    }

    /** The table of options and the records of properties know the same names and defaults. */
    @Test
    void everyOptionIsOfAPropertyAndShowsItsDefault() {
        Map<String, String> defaults = defaults();
        assertThat(Settings.ALL)
                .filteredOn(setting -> setting.property().startsWith("orloj."))
                .filteredOn(setting -> !setting.option().equals("--data-dir"))
                .allSatisfy(
                        setting -> {
                            assertThat(defaults).containsKey(setting.property());
                            String usual = defaults.get(setting.property());
                            if (!Set.of("", "0", "false").contains(usual)) {
                                assertThat(setting.description())
                                        .endsWith("Default: " + usual + ".");
                            }
                        });
    }

    /** The defaults of all properties, empty where there is none. */
    private static Map<String, String> defaults() {
        Map<String, String> defaults = new HashMap<>();
        var scan = new ClassPathScanningCandidateComponentProvider(false);
        scan.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        String folder = ReplicaProperties.class.getPackageName();
        for (BeanDefinition found : scan.findCandidateComponents(folder)) {
            Class<?> type = ClassUtils.resolveClassName(found.getBeanClassName(), null);
            String prefix = type.getAnnotation(ConfigurationProperties.class).value();
            for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
                DefaultValue given = parameter.getAnnotation(DefaultValue.class);
                defaults.put(
                        prefix + "." + DataObjectPropertyName.toDashedForm(parameter.getName()),
                        given == null ? "" : String.join(",", given.value()));
            }
        }
        return defaults;
    }

    private static Map<String, Object> properties(String... args) {
        return properties(Map.of(), args);
    }

    private static Map<String, Object> properties(Map<String, String> environment, String... args) {
        return ((OrlojdOptions.Parsed.Run) OrlojdOptions.parse(environment, args)).properties();
    }
}
