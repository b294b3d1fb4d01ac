package dev.orloj.api.approval;

import dev.orloj.api.ledger.CanonicalJson;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a definition that a server offers is served. */
public sealed interface ServingDecision {

    /**
     * It is served.
     *
     * @param warning why somebody should look at it; empty if there is no reason
     */
    record Serve(String warning) implements ServingDecision {}

    /**
     * It is not served.
     *
     * @param instead the definition from before, if the server still honors it
     * @param reason a phrase
     */
    record Hold(Optional<ObjectNode> instead, PolicyAction action, String reason)
            implements ServingDecision {}

    /**
     * Decides about one definition. Pins come first, then what people decided, then the actions of
     * the policy. A pin overrides what people decided, except where a ToolPolicy of the namespace
     * has to be satisfied, too.
     *
     * @param first whether these are the first tools of the server
     * @param offered a definition with its name
     */
    static ServingDecision of(
            ServingPolicy policy, boolean first, ObjectNode offered, ToolApproval known) {
        String digest = CanonicalJson.digest(offered);
        Map<String, String> pins = policy.pins();
        if (pins == null) {
            return decided(policy, first, digest, offered, known);
        }
        String pin = pins.get(offered.path("name").asString(""));
        if (!digest.equals(pin)) {
            return notPinned(pin, offered, known);
        }
        ServingPolicy rest = policy.ofPinned();
        if (rest.isEmpty()) {
            return new Serve("");
        }
        // What was served before is not pinned.
        return switch (decided(rest, first, digest, offered, known)) {
            case Serve serve -> serve;
            case Hold hold -> new Hold(Optional.empty(), hold.action(), hold.reason());
        };
    }

    private static Hold notPinned(@Nullable String pin, ObjectNode offered, ToolApproval known) {
        if (pin == null) {
            return new Hold(Optional.empty(), PolicyAction.REJECT, "not pinned");
        }
        Optional<ObjectNode> instead =
                known.served()
                        .filter(served -> CanonicalJson.digest(served).equals(pin))
                        .filter(served -> isHonored(served, offered));
        return new Hold(instead, PolicyAction.REJECT, "not the pinned definition");
    }

    private static ServingDecision decided(
            ServingPolicy policy,
            boolean first,
            String digest,
            ObjectNode offered,
            ToolApproval known) {
        if (known.rejected().contains(digest)) {
            return hold(PolicyAction.REJECT, "rejected", offered, known, digest);
        }
        if (known.approved().contains(digest)) {
            return new Serve("");
        }
        if (known.served().isEmpty()) {
            return decided(policy.ofNew(first), "new", offered, known, digest);
        }
        Set<DefinitionChange> changes = DefinitionChange.between(known.served().get(), offered);
        String what =
                changes.stream().map(DefinitionChange::wireName).collect(Collectors.joining(", "));
        return decided(policy.of(changes), "changed: " + what, offered, known, digest);
    }

    private static ServingDecision decided(
            ServingPolicy.Verdict verdict,
            String what,
            ObjectNode offered,
            ToolApproval known,
            String digest) {
        String reason = what + verdict.source();
        return switch (verdict.action()) {
            case ACCEPT -> new Serve("");
            case WARN -> new Serve(reason);
            case QUARANTINE, REJECT -> hold(verdict.action(), reason, offered, known, digest);
        };
    }

    private static ServingDecision hold(
            PolicyAction action,
            String what,
            ObjectNode offered,
            ToolApproval known,
            String digest) {
        return new Hold(
                known.served()
                        .filter(served -> mayStay(CanonicalJson.digest(served), digest, known))
                        .filter(served -> isHonored(served, offered)),
                action,
                what);
    }

    private static boolean mayStay(String served, String offered, ToolApproval known) {
        return !served.equals(offered) && !known.rejected().contains(served);
    }

    /** Returns whether calls that are right by one definition are right by the other. */
    private static boolean isHonored(ObjectNode served, ObjectNode offered) {
        return !DefinitionChange.between(served, offered).contains(DefinitionChange.BREAKING);
    }
}
