package dev.orloj.api.approval;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * All that decides which definitions of a server are served: the {@code tool_policy} of its
 * manifest, and the ToolPolicies of its namespace. The strictest action applies. Immutable.
 */
public final class ServingPolicy {

    /** Serves every definition. */
    public static final ServingPolicy NONE = new ServingPolicy(null, List.of());

    private final @Nullable ServerToolPolicy own;
    private final List<ToolPolicy> shared;

    private ServingPolicy(@Nullable ServerToolPolicy own, List<ToolPolicy> shared) {
        this.own = own;
        this.shared = List.copyOf(shared);
    }

    /**
     * @param server the name of the server
     * @param own the {@code tool_policy} of its manifest
     * @param policies of its namespace; those that do not select the server are ignored
     */
    public static ServingPolicy of(
            String server, @Nullable ServerToolPolicy own, Collection<ToolPolicy> policies) {
        List<ToolPolicy> shared =
                policies.stream()
                        .filter(policy -> !policy.metadata().isDeleting())
                        .filter(policy -> policy.selects(server))
                        .filter(policy -> !policy.spec().rules().equals(ServingRules.NONE))
                        .sorted(Comparator.comparing(policy -> policy.metadata().name()))
                        .toList();
        return own == null && shared.isEmpty() ? NONE : new ServingPolicy(own, shared);
    }

    /** Returns the policy of a server whose namespace has no ToolPolicy. */
    static ServingPolicy of(ServerToolPolicy own) {
        return new ServingPolicy(own, List.of());
    }

    /** Returns whether every definition is served. */
    public boolean isEmpty() {
        return own == null && shared.isEmpty();
    }

    /**
     * Returns why a decision of a user about a definition would have no effect, with the remedy;
     * empty if it has one.
     */
    public Optional<String> whyIgnored(DefinitionName name, String digest, boolean approves) {
        if (isEmpty()) {
            return Optional.of(
                    "without a tool_policy every definition is served, whatever a user decides; set"
                            + " spec.tool_policy to {} and decide again");
        }
        if (!pins(name)) {
            return Optional.empty();
        }
        boolean isPinned = digest.equals(pin(name));
        if (approves && !isPinned) {
            return Optional.of(
                    "its pins do not serve this definition, even if a user approves it; set"
                            + " spec.tool_policy.pins[%s] to %s instead"
                                    .formatted(name.text(), digest));
        }
        return !approves && isPinned && ofPinned().isEmpty()
                ? Optional.of(
                        "its pins serve this definition, even if a user rejects it; remove"
                                + " spec.tool_policy.pins[%s] instead".formatted(name.text()))
                : Optional.empty();
    }

    /** Returns whether the removal of a tool is an event of type Warning. */
    public boolean warnsOfRemoval() {
        return own != null && own.rules().warnsOfRemoval()
                || shared.stream().anyMatch(policy -> policy.spec().rules().warnsOfRemoval());
    }

    /** Returns whether the manifest has pins that decide about a definition. */
    boolean pins(DefinitionName name) {
        Map<String, String> pins = own == null ? null : own.pins();
        return pins != null && (name.needsPin() || pins.containsKey(name.text()));
    }

    /** Returns the digest that the manifest pins, or null if it does not name the definition. */
    @Nullable String pin(DefinitionName name) {
        Map<String, String> pins = own == null ? null : own.pins();
        return pins == null ? null : pins.get(name.text());
    }

    /** Returns what decides about a definition that the manifest pins. */
    ServingPolicy ofPinned() {
        return new ServingPolicy(
                null, shared.stream().filter(policy -> !policy.acceptsPins()).toList());
    }

    /**
     * @param first whether these are the first tools of the server
     */
    Verdict ofNew(boolean first) {
        return strictest(rules -> rules.ofNew(first));
    }

    Verdict of(Set<DefinitionChange> changes) {
        return strictest(rules -> rules.of(changes));
    }

    private Verdict strictest(Function<ServingRules, PolicyAction> action) {
        List<Verdict> verdicts = new ArrayList<>();
        if (own != null) {
            verdicts.add(new Verdict(action.apply(own.rules()), ""));
        }
        for (ToolPolicy policy : shared) {
            verdicts.add(
                    new Verdict(
                            action.apply(policy.spec().rules()),
                            ", by ToolPolicy " + policy.metadata().name()));
        }
        Verdict strictest = new Verdict(PolicyAction.ACCEPT, "");
        for (Verdict verdict : verdicts) {
            if (verdict.action().compareTo(strictest.action()) > 0) {
                strictest = verdict;
            }
        }
        return strictest;
    }

    /**
     * An action, and whose it is.
     *
     * @param source the end of a phrase; empty if the action is that of the manifest
     */
    record Verdict(PolicyAction action, String source) {}
}
