package dev.orloj.server.options;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The options of orlojd for containers. */
final class ContainerOptions {

    private static final List<String> NETWORKS = List.of("none", "isolated", "bridge");
    private static final List<String> POLICIES = List.of("restricted", "baseline", "privileged");
    private static final Pattern HOST = Pattern.compile("unix:///.+|npipe:////.+|tcp://[^/]+.*");
    private static final Pattern USER = Pattern.compile("\\d{1,10}(:\\d{1,10})?");

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec mixee;

    @Option(
            names = "--container-host",
            paramLabel = "URL",
            description =
                    "The Docker engine, or Podman, such as unix:///run/docker.sock. Default:"
                            + " DOCKER_HOST, or that socket.")
    private @Nullable String host;

    @Option(
            names = "--sandbox-policy",
            paramLabel = "LEVEL",
            description =
                    "What manifests may give up of their sandbox: restricted, baseline or"
                            + " privileged. Default: baseline.")
    private @Nullable String policy;

    @Option(
            names = "--sandbox-mount-root",
            paramLabel = "FOLDER",
            description =
                    "A folder of this host below which Sandboxes may mount folders; may be given"
                            + " several times. Default: none.")
    private @Nullable List<String> mountRoots;

    @Option(
            names = "--tool-container-memory",
            paramLabel = "SIZE",
            description = "Memory of a container that asks for nothing. Default: 128m.")
    private @Nullable String memory;

    @Option(
            names = "--tool-container-cpus",
            paramLabel = "N",
            description = "Processors of a container that asks for nothing. Default: 0.50.")
    private @Nullable String cpus;

    @Option(
            names = "--tool-container-pids-limit",
            paramLabel = "N",
            description = "Processes of a container that asks for nothing. Default: 64.")
    private @Nullable Integer pidsLimit;

    @Option(
            names = "--tool-container-network",
            paramLabel = "MODE",
            description =
                    "Network of a container that asks for nothing: none, isolated or bridge."
                            + " Default: isolated.")
    private @Nullable String network;

    @Option(
            names = "--tool-container-user",
            paramLabel = "UID[:GID]",
            description =
                    "User of a container that asks for nothing. Default: the one of the image, or"
                            + " 65532 if that is root.")
    private @Nullable String user;

    @Option(
            names = "--tool-container-runtime",
            paramLabel = "NAME",
            description = "OCI runtime of containers, such as runsc. Default: the engine's.")
    private @Nullable String runtime;

    @Option(
            names = "--tool-container-max-memory",
            paramLabel = "SIZE",
            description = "The most memory that a manifest may ask for. Default: any.")
    private @Nullable String maxMemory;

    @Option(
            names = "--tool-container-max-cpus",
            paramLabel = "N",
            description = "The most processors that a manifest may ask for. Default: any.")
    private @Nullable String maxCpus;

    @Option(
            names = "--tool-container-max-pids-limit",
            paramLabel = "N",
            description = "The most processes that a manifest may ask for. Default: any.")
    private @Nullable Integer maxPidsLimit;

    /** Adds the given options. */
    void addTo(Map<String, Object> properties) {
        put(
                properties,
                "host",
                matching(
                        "--container-host",
                        host,
                        HOST,
                        "unix:///PATH/OF/SOCKET or tcp://HOST:PORT"));
        put(properties, "policy", oneOf("--sandbox-policy", policy, POLICIES));
        put(properties, "mount-roots", mountRoots == null ? null : String.join(",", mountRoots));
        put(properties, "memory", parsed("--tool-container-memory", memory, ByteSize::new));
        put(properties, "cpus", parsed("--tool-container-cpus", cpus, CpuAmount::new));
        put(properties, "pids-limit", positive("--tool-container-pids-limit", pidsLimit));
        put(properties, "network", oneOf("--tool-container-network", network, NETWORKS));
        put(properties, "user", matching("--tool-container-user", user, USER, "a uid, or uid:gid"));
        put(properties, "runtime", runtime);
        put(
                properties,
                "max-memory",
                parsed("--tool-container-max-memory", maxMemory, ByteSize::new));
        put(properties, "max-cpus", parsed("--tool-container-max-cpus", maxCpus, CpuAmount::new));
        put(
                properties,
                "max-pids-limit",
                positive("--tool-container-max-pids-limit", maxPidsLimit));
    }

    private static void put(Map<String, Object> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.put("orloj.containers." + name, value.toString());
        }
    }

    private @Nullable String parsed(String option, @Nullable String text, Consumer<String> parser) {
        if (text != null) {
            try {
                parser.accept(text);
            } catch (IllegalArgumentException e) {
                throw error("%s \"%s\": %s".formatted(option, text, e.getMessage()));
            }
        }
        return text;
    }

    private @Nullable String oneOf(String option, @Nullable String text, List<String> known) {
        if (text != null && !known.contains(text)) {
            throw error(
                    "%s \"%s\": expected one of %s"
                            .formatted(option, text, String.join(", ", known)));
        }
        return text;
    }

    private @Nullable String matching(
            String option, @Nullable String text, Pattern pattern, String expected) {
        if (text != null && !pattern.matcher(text).matches()) {
            throw error("%s \"%s\": expected %s".formatted(option, text, expected));
        }
        return text;
    }

    private @Nullable Integer positive(String option, @Nullable Integer number) {
        if (number != null && number < 1) {
            throw error("%s %d: give at least 1".formatted(option, number));
        }
        return number;
    }

    private ParameterException error(String message) {
        if (mixee == null) {
            throw new IllegalStateException("not parsed by picocli");
        }
        return new ParameterException(mixee.commandLine(), message);
    }
}
