package dev.orloj.controllers.policy;

import dev.orloj.api.FieldPath;
import dev.orloj.api.Resource;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.policy.CommandRule;
import dev.orloj.api.policy.EndpointHosts;
import dev.orloj.api.policy.ImageRule;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.policy.VariableRule;
import dev.orloj.api.policy.Way;
import dev.orloj.api.v1.ContainerNetwork;
import dev.orloj.api.v1.ContainerResources;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.api.v1.McpServerSpec.Hosting;
import dev.orloj.api.v1.McpServerSpec.Http;
import dev.orloj.api.v1.McpServerSpec.Image;
import dev.orloj.api.v1.McpServerSpec.Program;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.sandbox.ContainerPolicy;
import dev.orloj.controllers.sandbox.MountResolution;
import dev.orloj.runtime.container.spec.ContainerIsolation;
import dev.orloj.runtime.container.spec.HostMount;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Decides whether every policy that selects a namespace allows a resource. Depends on its
 * arguments, and on the links of the folders that a Sandbox mounts.
 */
public final class PolicyDecision {

    private static final FieldPath SPEC = FieldPath.of("spec");

    private final String policy;
    private final McpServerPolicy.Spec rules;
    private final EngineDecision engines;
    private final ContainerPolicy containers;
    private final ContainerDecision container;
    private final List<PolicyViolation> violations = new ArrayList<>();

    private PolicyDecision(
            McpServerPolicy policy, EngineDecision engines, ContainerPolicy containers) {
        this.policy = policy.metadata().name();
        this.rules = policy.spec();
        this.engines = engines;
        this.containers = containers;
        this.container = new ContainerDecision(rules, this::refuse);
    }

    /** Returns whether policies can apply to a resource. */
    public static boolean concerns(Resource resource) {
        return resource instanceof McpServer
                || resource instanceof Sandbox
                || resource instanceof Tool tool && !tool.spec().endpoint().isEmpty();
    }

    /** Returns whether two versions of a resource are the same to every policy. */
    public static boolean isSame(Resource before, Resource after) {
        return switch (after) {
            case McpServer server ->
                    before instanceof McpServer was
                            && was.spec().hosting().equals(server.spec().hosting())
                            && was.spec().mostSessions() == server.spec().mostSessions();
            case Sandbox sandbox ->
                    before instanceof Sandbox was && was.spec().equals(sandbox.spec());
            case Tool tool ->
                    before instanceof Tool was
                            && was.spec().endpoint().equals(tool.spec().endpoint());
            default -> true;
        };
    }

    /**
     * Follows the links of the folders that a Sandbox mounts.
     *
     * @param labels of the namespace of the resource
     * @param containers what a container gets whose manifest sets nothing
     * @return all violations, ordered by the names of the policies; empty if the resource is
     *     allowed
     */
    public static List<PolicyViolation> violations(
            Resource resource,
            Collection<McpServerPolicy> policies,
            Map<String, String> labels,
            ContainerPolicy containers) {
        if (resource instanceof Sandbox sandbox) {
            MountResolution mounts = containers.mounts(sandbox.spec());
            return violations(sandbox, mounts, policies, labels, containers);
        }
        return decide(policies, labels, containers, decision -> decision.check(resource));
    }

    /**
     * Checks a Sandbox with the folders that it is about to mount, so that no link can lead
     * elsewhere between the check and the mount.
     */
    public static List<PolicyViolation> violations(
            Sandbox sandbox,
            MountResolution mounts,
            Collection<McpServerPolicy> policies,
            Map<String, String> labels,
            ContainerPolicy containers) {
        List<String> folders =
                switch (mounts) {
                    case MountResolution.Resolved(List<HostMount> real) ->
                            real.stream().map(mount -> mount.hostFolder().toString()).toList();
                    case MountResolution.Refused _ ->
                            sandbox.spec().mounts().stream().map(Sandbox.Mount::hostPath).toList();
                };
        return decide(
                policies,
                labels,
                containers,
                decision -> {
                    decision.check(sandbox.spec());
                    decision.container.mounts(sandbox.spec().mounts(), folders);
                });
    }

    /**
     * Checks the variables that a server gets from its {@code env} and {@code env_from}, whose
     * names are known only when it is about to run.
     */
    public static List<PolicyViolation> violations(
            McpServer server,
            Collection<String> variables,
            Collection<McpServerPolicy> policies,
            Map<String, String> labels) {
        boolean commands = limitsCommand(server.spec().hosting());
        FieldPath field = SPEC.child("env_from");
        return decide(
                policies,
                labels,
                ContainerPolicy.DEFAULT,
                decision -> variables.forEach(name -> decision.variable(field, name, commands)));
    }

    /**
     * Returns the engine that the policies of a namespace require; empty if they require none. Ask
     * only for a resource that they allow.
     *
     * @param labels of the namespace
     */
    static Optional<RequiredEngine> requiredEngine(
            Collection<McpServerPolicy> policies, Map<String, String> labels) {
        return EngineDecision.of(selected(policies, labels)).first();
    }

    private static List<PolicyViolation> decide(
            Collection<McpServerPolicy> policies,
            Map<String, String> labels,
            ContainerPolicy containers,
            Consumer<PolicyDecision> check) {
        List<McpServerPolicy> selected = selected(policies, labels);
        EngineDecision engines = EngineDecision.of(selected);
        return selected.stream()
                .flatMap(
                        policy -> {
                            PolicyDecision decision =
                                    new PolicyDecision(policy, engines, containers);
                            check.accept(decision);
                            return decision.violations.stream();
                        })
                .toList();
    }

    private static List<McpServerPolicy> selected(
            Collection<McpServerPolicy> policies, Map<String, String> labels) {
        return policies.stream()
                .filter(policy -> policy.selects(labels))
                .sorted(Comparator.comparing(policy -> policy.metadata().name()))
                .toList();
    }

    /** Returns whether the command is limited: not that in a container of its own image. */
    private static boolean limitsCommand(Hosting hosting) {
        return switch (hosting) {
            case Hosting.HostProcess _, Hosting.Attached _ -> true;
            case Hosting.OwnContainer _, Hosting.InSandbox _, Hosting.Remote _ -> false;
        };
    }

    private void check(Resource resource) {
        switch (resource) {
            case McpServer server -> {
                check(server.spec().hosting());
                env(server.spec().program().env(), limitsCommand(server.spec().hosting()));
                container.sessions(server.spec());
            }
            case Tool tool -> endpoint(SPEC.child("endpoint"), tool.spec().endpoint());
            default -> {}
        }
    }

    private void check(Sandbox.Spec sandbox) {
        way(Way.SANDBOX, SPEC, sandbox.image());
        image(sandbox.image());
        env(sandbox.env(), false);
        isolation(sandbox.resources(), sandbox.network());
    }

    private void isolation(
            @Nullable ContainerResources resources, @Nullable ContainerNetwork network) {
        ContainerIsolation applied = containers.isolation(resources, network);
        container.network(applied.network(), network);
        container.limits(applied.limits(), resources);
    }

    private void check(Hosting hosting) {
        switch (hosting) {
            case Hosting.HostProcess(Program program) -> {
                way(Way.PROCESS, SPEC.child("command"), program.command());
                command(program);
            }
            case Hosting.OwnContainer(Program _, Image image) -> {
                way(Way.CONTAINER, SPEC.child("image"), image.name());
                image(image.name());
                isolation(image.resources(), image.network());
            }
            case Hosting.InSandbox(Program _, String sandbox) ->
                    way(Way.SANDBOX, SPEC.child("sandbox_ref"), sandbox);
            case Hosting.Attached(Program program, McpServer.Attach attach) -> {
                way(Way.ATTACH, SPEC.child("attach").child("container"), attach.container());
                command(program);
            }
            case Hosting.Remote(Http http, boolean _) -> {
                way(Way.HTTP, SPEC.child("endpoint"), http.endpoint());
                endpoint(SPEC.child("endpoint"), http.endpoint());
                authorizationServer(http.auth());
            }
        }
    }

    private void way(Way way, FieldPath field, String value) {
        List<Way> allowed = rules.hosting();
        if (allowed != null && !allowed.contains(way)) {
            String names = String.join(", ", allowed.stream().map(Way::text).toList());
            refuse(
                    field,
                    value,
                    "hosting \"%s\" is not allowed here; allowed: %s".formatted(way.text(), names));
        }
        engines.objection(policy, way).ifPresent(why -> refuse(field, value, why));
    }

    private void command(Program program) {
        List<String> words = new ArrayList<>();
        if (!program.command().isBlank()) {
            words.addAll(List.of(program.command().strip().split("\\s+")));
        }
        words.addAll(program.args());
        List<String> objections = rules.objections(words);
        if (!objections.isEmpty()) {
            refuse(SPEC.child("command"), String.join(" ", words), String.join("; ", objections));
        }
    }

    private void env(List<McpServer.EnvVar> env, boolean commands) {
        for (int i = 0; i < env.size(); i++) {
            variable(SPEC.child("env").index(i).child("name"), env.get(i).name(), commands);
        }
    }

    /**
     * @param commands whether the rule for commands applies to the program
     */
    private void variable(FieldPath field, String name, boolean commands) {
        VariableRule rule = rules.env();
        if (rule != null) {
            rule.objection(name).ifPresent(why -> refuse(field, name, why));
        }
        if (commands && rules.commands() != null && CommandRule.redirects(name)) {
            refuse(
                    field,
                    name,
                    "commands are limited, and this variable can change which program runs: remove"
                            + " it");
        }
    }

    private void image(String image) {
        ImageRule rule = rules.images();
        if (rule != null) {
            rule.objection(image).ifPresent(why -> refuse(SPEC.child("image"), image, why));
        }
    }

    private void endpoint(FieldPath field, String endpoint) {
        EndpointHosts rule = rules.endpoints();
        if (rule != null && !endpoint.isEmpty()) {
            rule.objection(endpoint).ifPresent(why -> refuse(field, endpoint, why));
        }
    }

    /** Tokens are requested from a host, too, which the manifest then has to name. */
    private void authorizationServer(McpServerSpec.@Nullable Auth auth) {
        OAuthClient oauth = auth == null ? null : auth.oauth();
        if (oauth == null || rules.endpoints() == null) {
            return;
        }
        FieldPath path = SPEC.child("auth").child("oauth");
        endpoint(path.child("issuer"), oauth.issuer());
        endpoint(path.child("authorizationUrl"), oauth.authorizationUrl());
        endpoint(path.child("tokenUrl"), oauth.tokenUrl());
        if (oauth.issuer().isEmpty() && oauth.tokenUrl().isEmpty()) {
            refuse(
                    path.child("issuer"),
                    "",
                    "hosts are limited: name the authorization server, so that it can be compared");
        }
    }

    private void refuse(FieldPath field, String value, String why) {
        violations.add(new PolicyViolation(policy, field, value, why));
    }
}
