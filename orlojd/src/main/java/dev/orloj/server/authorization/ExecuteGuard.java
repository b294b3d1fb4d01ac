package dev.orloj.server.authorization;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.Status;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.api.v1.ContainerResources;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.Sandbox;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Requires the verb {@code execute} of a user who writes what runs on the host, or in a container
 * that is less isolated than usual. A write that leaves this part as it is does not need the verb.
 */
public final class ExecuteGuard {

    /** The right to have a program run on the host. */
    public static final String EXECUTE = "execute";

    private final Supplier<Authorizer> authorizer;

    /**
     * @param authorizer asked at the first write, because it reads the store that it guards
     */
    public ExecuteGuard(Supplier<Authorizer> authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * What runs with more than the rights of an isolated container.
     *
     * @param what the values that decide about it
     * @param why the field, and what it does
     */
    private record Privilege(Object what, String why) {}

    /**
     * @throws ApiException (Forbidden) naming the verb and the field that needs it
     */
    public void check(
            UserInfo user, Kind<?> kind, Resource after, Optional<? extends Resource> before) {
        Optional<Privilege> wanted = privilege(after);
        if (wanted.isEmpty()
                || before.flatMap(ExecuteGuard::privilege)
                        .filter(had -> had.what().equals(wanted.get().what()))
                        .isPresent()) {
            return;
        }
        Attributes execution =
                new Attributes.OfResource(
                        EXECUTE,
                        kind.group(),
                        kind.plural(),
                        "",
                        after.metadata().namespace(),
                        after.metadata().name());
        Decision decision = authorizer.get().decide(user, execution);
        if (!decision.allowed()) {
            String reason = decision.reason().isEmpty() ? "" : decision.reason() + ": ";
            Status denial = Forbidden.status(user, execution, reason + wanted.get().why());
            throw new ApiException(ErrorReason.FORBIDDEN, denial.message(), denial.details());
        }
    }

    private static Optional<Privilege> privilege(Resource resource) {
        return switch (resource) {
            case McpServer server -> privilege(server.spec().hosting());
            case Sandbox sandbox -> privilege(sandbox.spec());
            default -> Optional.empty();
        };
    }

    private static Optional<Privilege> privilege(Hosting hosting) {
        return switch (hosting) {
            case Hosting.HostProcess _ ->
                    Optional.of(new Privilege(hosting, "spec.command runs a program on the host"));
            case Hosting.Attached _ ->
                    Optional.of(
                            new Privilege(
                                    hosting,
                                    "spec.attach runs a program in any container of the host"));
            case Hosting.OwnContainer(_, McpServerSpec.Image image) ->
                    relaxation(image.resources(), image.network())
                            .map(why -> new Privilege(hosting, why));
            case Hosting.InSandbox _, Hosting.Remote _ -> Optional.empty();
        };
    }

    private static Optional<Privilege> privilege(Sandbox.Spec spec) {
        List<Object> what =
                List.of(
                        spec.image(),
                        spec.command(),
                        spec.args(),
                        spec.env(),
                        Optional.ofNullable(spec.resources()),
                        Optional.ofNullable(spec.network()),
                        spec.mounts());
        return spec.mounts().isEmpty()
                ? relaxation(spec.resources(), spec.network()).map(why -> new Privilege(what, why))
                : Optional.of(new Privilege(what, "spec.mounts gives access to the host's files"));
    }

    private static Optional<String> relaxation(
            @Nullable ContainerResources resources, @Nullable ContainerNetwork network) {
        if (network != null && network.mode() == ContainerNetwork.Mode.BRIDGE) {
            return Optional.of("spec.network.mode bridge reaches the host");
        }
        return resources != null && resources.namesRoot()
                ? Optional.of("spec.resources.user runs the program as root")
                : Optional.empty();
    }
}
