package dev.orloj.controllers.policy;

import dev.orloj.api.policy.Engine;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.policy.Way;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides by all policies of a namespace what runs its servers.
 *
 * @param required in the order of the names of the policies
 */
record EngineDecision(List<RequiredEngine> required) {

    EngineDecision {
        required = List.copyOf(required);
    }

    /**
     * @param selected the policies of the namespace, ordered by their names
     */
    static EngineDecision of(List<McpServerPolicy> selected) {
        return new EngineDecision(selected.stream().flatMap(EngineDecision::requirement).toList());
    }

    private static Stream<RequiredEngine> requirement(McpServerPolicy policy) {
        Engine engine = Objects.requireNonNullElse(policy.spec().engine(), Engine.AUTO);
        return engine == Engine.AUTO
                ? Stream.empty()
                : Stream.of(new RequiredEngine(policy.metadata().name(), engine));
    }

    /**
     * Returns what the namespace requires; empty if that is nothing. If policies contradict each
     * other, one of them; they then allow no server that this could apply to.
     */
    Optional<RequiredEngine> first() {
        return required.stream().findFirst();
    }

    /**
     * Returns why a policy does not allow a server that runs in this way; empty if it does. Of
     * policies that contradict each other, all but the first refuse.
     */
    Optional<String> objection(String policy, Way way) {
        return way == Way.HTTP
                ? Optional.empty()
                : required.stream()
                        .filter(own -> own.policy().equals(policy))
                        .findFirst()
                        .flatMap(own -> objection(own.engine(), required.getFirst(), way));
    }

    private Optional<String> objection(Engine engine, RequiredEngine first, Way way) {
        if (engine != first.engine()) {
            return Optional.of(
                    "engine \"%s\" is required, and McpServerPolicy \"%s\" requires \"%s\", so nothing can run in this namespace; have a cluster-admin change one of the policies"
                            .formatted(engine.text(), first.policy(), first.engine().text()));
        }
        boolean agree = required.stream().allMatch(other -> other.engine() == engine);
        return !agree || engine.runs(way)
                ? Optional.empty()
                : Optional.of(
                        "engine \"%s\" is required, %s"
                                .formatted(engine.text(), remedy(engine, way)));
    }

    private static String remedy(Engine engine, Way way) {
        if (engine == Engine.PROCESS) {
            return "which runs no images and no containers; set command alone";
        }
        return way == Way.PROCESS
                ? "which runs nothing on the host; set image"
                : "which runs nothing in attached containers; set image, or sandbox_ref";
    }
}
