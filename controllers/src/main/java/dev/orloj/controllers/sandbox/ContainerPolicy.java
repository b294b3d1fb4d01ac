package dev.orloj.controllers.sandbox;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Resource;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.api.v1.ContainerResources;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.NetworkAccess;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The policy of the operator for containers: the defaults, the upper limits, and how much of its
 * isolation a manifest may give up. Immutable and thread-safe.
 *
 * @param defaults of a container whose manifest sets nothing
 * @param folders of the host that it may mount
 * @param engine what runs a server with an image, and a Sandbox
 * @param pods what a manifest may add to a Pod, if the engine is that of Pods
 */
public record ContainerPolicy(
        PolicyLevel level,
        ContainerIsolation defaults,
        Ceilings ceilings,
        HostFolders folders,
        ServerEngine engine,
        PodPolicy pods) {

    /** The policy of an orlojd that has no configuration for containers. */
    public static final ContainerPolicy DEFAULT =
            new ContainerPolicy(
                    PolicyLevel.BASELINE,
                    ContainerIsolation.DEFAULT,
                    Ceilings.NONE,
                    HostFolders.NONE);

    private static final FieldPath SPEC = FieldPath.of("spec");

    /** Creates the policy of an orlojd that runs servers with an image in containers. */
    public ContainerPolicy(
            PolicyLevel level,
            ContainerIsolation defaults,
            Ceilings ceilings,
            HostFolders folders) {
        this(level, defaults, ceilings, folders, ServerEngine.CONTAINER, PodPolicy.DEFAULT);
    }

    /**
     * @throws IllegalArgumentException when the policy does not allow its own defaults
     */
    public ContainerPolicy {
        if (defaults.network().mode() == NetworkAccess.Mode.BRIDGE
                && !level.allows(PolicyLevel.PRIVILEGED)) {
            throw new IllegalArgumentException(
                    "--tool-container-network bridge is more than --sandbox-policy %s allows"
                            .formatted(level));
        }
        ContainerResources silent = resources(defaults);
        if (silent.namesRoot() && !level.allows(PolicyLevel.PRIVILEGED)) {
            throw new IllegalArgumentException(
                    "--tool-container-user %s is more than --sandbox-policy %s allows"
                            .formatted(defaults.user(), level));
        }
        List<FieldError> errors = ceilings.check(FieldPath.of("--tool-container"), silent);
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException(
                    "The default of a container is beyond its ceiling: " + errors.getFirst());
        }
    }

    private static ContainerResources resources(ContainerIsolation isolation) {
        ContainerLimits limits = isolation.limits();
        return new ContainerResources(
                new ByteSize(Long.toString(limits.memoryBytes())),
                new CpuAmount(limits.nanoCpus() / 1_000_000 + "m"),
                Math.toIntExact(limits.pids()),
                isolation.user(),
                null);
    }

    /**
     * Returns what the policy does not allow in a resource. Empty for kinds that have no
     * containers.
     */
    public List<FieldError> check(Resource resource) {
        return switch (resource) {
            case McpServer server -> check(server.spec());
            case Sandbox sandbox -> check(sandbox.spec());
            default -> List.of();
        };
    }

    /** Returns what the policy does not allow in the spec of a Sandbox. */
    public List<FieldError> check(Sandbox.Spec spec) {
        List<FieldError> errors = checkContainer(spec.resources(), spec.network());
        if (!spec.mounts().isEmpty()) {
            require(
                    PolicyLevel.BASELINE,
                    SPEC.child("mounts"),
                    "folders of the host; copy what is needed into the image",
                    errors);
        }
        errors.addAll(mounts(spec).errors());
        return errors;
    }

    /** Resolves the mounts to the host folders for the engine, or returns why they are refused. */
    public MountResolution mounts(Sandbox.Spec spec) {
        return folders.resolve(spec.mounts());
    }

    /**
     * Returns what the policy does not allow in a manifest: the field, the value, and what is
     * allowed.
     */
    public List<FieldError> check(McpServerSpec spec) {
        return switch (spec.hosting()) {
            case Hosting.Remote _ -> List.of();
            case Hosting.HostProcess _ -> checkProgram(spec.container(), true);
            case Hosting.OwnContainer _, Hosting.ExistingContainer _ ->
                    checkProgram(spec.container(), false);
        };
    }

    /** Also checks fields that exclude each other, to report everything at once. */
    private List<FieldError> checkProgram(McpServerSpec.Container container, boolean onHost) {
        McpServerSpec.Image image = container.image();
        List<FieldError> errors = new ArrayList<>();
        if (onHost) {
            require(
                    PolicyLevel.BASELINE,
                    SPEC.child("command"),
                    "a program on the host; set image",
                    errors);
        }
        if (container.attach() != null) {
            require(
                    PolicyLevel.PRIVILEGED,
                    SPEC.child("attach"),
                    "a container that Orloj has not closed in itself; use sandbox_ref",
                    errors);
        }
        if (Boolean.TRUE.equals(image.trustImageConfig())) {
            require(
                    PolicyLevel.BASELINE,
                    SPEC.child("trust_image_config"),
                    "a command that is not in the manifest; write it there",
                    errors);
        }
        if (!image.name().isEmpty()) {
            errors.addAll(checkContainer(image.resources(), image.network()));
        }
        if (image.pod() != null && engine == ServerEngine.POD) {
            errors.addAll(pods.check(SPEC.child("pod"), image.pod(), level, defaults.runtime()));
        }
        return errors;
    }

    private List<FieldError> checkContainer(
            @Nullable ContainerResources resources, @Nullable ContainerNetwork network) {
        List<FieldError> errors = new ArrayList<>();
        if (resources != null) {
            FieldPath path = SPEC.child("resources");
            errors.addAll(ceilings.check(path, resources));
            if (resources.namesRoot()) {
                require(
                        PolicyLevel.PRIVILEGED,
                        path.child("user"),
                        "root or its group; give another uid and gid, such as 1000:1000",
                        errors);
            }
        }
        NetworkAccess access = access(network);
        FieldPath mode = SPEC.child("network").child("mode");
        switch (access.mode()) {
            case NONE -> {}
            case ISOLATED -> {
                if (access.allowHosts().isEmpty()) {
                    require(
                            PolicyLevel.BASELINE,
                            mode,
                            "a way to all of the internet; set mode none, or allow_hosts",
                            errors);
                }
            }
            case BRIDGE ->
                    require(
                            PolicyLevel.PRIVILEGED,
                            mode,
                            "a network that reaches the host and other containers; use isolated,"
                                    + " or none",
                            errors);
        }
        return errors;
    }

    private void require(
            PolicyLevel needed, FieldPath path, String remedy, List<FieldError> errors) {
        if (!level.allows(needed)) {
            errors.add(
                    FieldError.forbidden(
                            path,
                            "the sandbox policy %s does not allow %s".formatted(level, remedy)));
        }
    }

    /** Returns the isolation of a container with these settings. Does not check them. */
    public ContainerIsolation isolation(
            @Nullable ContainerResources resources, @Nullable ContainerNetwork network) {
        ContainerResources requested = resources == null ? ContainerResources.NONE : resources;
        ContainerLimits usual = defaults.limits();
        ContainerLimits limits =
                new ContainerLimits(
                        requested.memory() == null
                                ? usual.memoryBytes()
                                : requested.memory().bytes(),
                        requested.cpus() == null ? usual.nanoCpus() : requested.cpus().nanos(),
                        requested.pidsLimit() == null ? usual.pids() : requested.pidsLimit(),
                        requested.tmpSize() == null
                                ? usual.tmpBytes()
                                : requested.tmpSize().bytes());
        return defaults.withLimits(limits)
                .withUser(requested.user().isEmpty() ? defaults.user() : requested.user())
                .withNetwork(access(network));
    }

    private NetworkAccess access(@Nullable ContainerNetwork network) {
        if (network == null || (network.mode() == null && network.allowHosts().isEmpty())) {
            return defaults.network();
        }
        if (network.mode() == null) {
            return new NetworkAccess(NetworkAccess.Mode.ISOLATED, network.allowHosts());
        }
        return switch (network.mode()) {
            case NONE -> NetworkAccess.NONE;
            case ISOLATED -> new NetworkAccess(NetworkAccess.Mode.ISOLATED, network.allowHosts());
            case BRIDGE -> NetworkAccess.BRIDGE;
        };
    }
}
