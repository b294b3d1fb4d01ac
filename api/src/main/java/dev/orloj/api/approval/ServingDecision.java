package dev.orloj.api.approval;

import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.RunningCode;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a definition that a server offers is served. */
public sealed interface ServingDecision {

    /**
     * It is served.
     *
     * @param warning why a user should look at it; empty if there is no reason
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
     * @param offered a definition of a tool
     */
    static ServingDecision of(
            ServingPolicy policy, boolean first, ObjectNode offered, ToolApproval known) {
        return of(policy, first, offered, known, "");
    }

    /**
     * Decides about the definition of a tool that may have been renamed. Another name is a new
     * tool, and has no pin: the former name changes the reason, and nothing else.
     *
     * @param former its name on the server before; empty if it was not renamed
     */
    static ServingDecision of(
            ServingPolicy policy,
            boolean first,
            ObjectNode offered,
            ToolApproval known,
            String former) {
        DefinitionName name = DefinitionName.tool(offered.path("name").asString(""));
        return of(
                policy,
                first,
                new Offer(name, offered, CanonicalJson.digest(offered), known, former));
    }

    /** Decides about a definition of any kind in the same way. */
    static ServingDecision of(
            ServingPolicy policy,
            boolean first,
            DefinitionName name,
            ObjectNode offered,
            ToolApproval known) {
        return of(
                policy, first, new Offer(name, offered, CanonicalJson.digest(offered), known, ""));
    }

    private static ServingDecision of(ServingPolicy policy, boolean first, Offer offer) {
        if (!policy.pins(offer.name())) {
            return decided(policy, first, offer);
        }
        String pin = policy.pin(offer.name());
        if (!offer.digest().equals(pin)) {
            return notPinned(pin, offer);
        }
        ServingPolicy rest = policy.ofPinned();
        if (rest.isEmpty()) {
            return new Serve("");
        }
        // What was served before is not pinned.
        return switch (decided(rest, first, offer)) {
            case Serve serve -> serve;
            case Hold hold -> new Hold(Optional.empty(), hold.action(), hold.reason());
        };
    }

    /** A definition, and what is known of others under its name. */
    record Offer(
            DefinitionName name,
            ObjectNode definition,
            String digest,
            ToolApproval known,
            String former) {

        Set<DefinitionChange> changes(ObjectNode served) {
            return name.changes(served, definition);
        }

        boolean isCode() {
            return name.equals(DefinitionName.RUNS);
        }

        /** Returns the classes of what differs, or what runs now and what ran before. */
        String difference(ObjectNode served) {
            return isCode()
                    ? String.join(", ", RunningCode.changes(served, definition))
                    : changes(served).stream()
                            .map(DefinitionChange::wireName)
                            .collect(Collectors.joining(", "));
        }

        /** Returns whether calls that are right by one definition are right by the other. */
        boolean honors(ObjectNode served) {
            return !changes(served).contains(DefinitionChange.BREAKING);
        }

        /** Returns why a definition is held under whose name nothing was served. */
        String newName() {
            return former.isEmpty() ? "new" : "renamed from " + former;
        }

        /** Returns a reason with the former name of a tool that was renamed. */
        String withFormer(String reason) {
            return former.isEmpty() ? reason : reason + ", " + newName();
        }

        boolean mayStay(String served) {
            return !served.equals(digest) && !known.rejected().contains(served);
        }
    }

    private static Hold notPinned(@Nullable String pin, Offer offer) {
        if (pin == null) {
            return new Hold(Optional.empty(), PolicyAction.REJECT, offer.withFormer("not pinned"));
        }
        Optional<ObjectNode> instead =
                offer.known()
                        .served()
                        .filter(served -> CanonicalJson.digest(served).equals(pin))
                        .filter(offer::honors);
        return new Hold(instead, PolicyAction.REJECT, "not the pinned definition");
    }

    private static ServingDecision decided(ServingPolicy policy, boolean first, Offer offer) {
        ToolApproval known = offer.known();
        if (known.rejected().contains(offer.digest())) {
            String reason = offer.isCode() ? rejected(offer) : offer.withFormer("rejected");
            return hold(PolicyAction.REJECT, reason, offer);
        }
        if (known.approved().contains(offer.digest())) {
            return new Serve("");
        }
        if (known.served().isEmpty()) {
            // Without what runs, nothing can be listed: on_new decides about what is listed.
            return offer.isCode()
                    ? new Serve("")
                    : decided(policy.ofNew(first), offer.newName(), offer);
        }
        ObjectNode served = known.served().get();
        return decided(
                policy.of(offer.changes(served)), "changed: " + offer.difference(served), offer);
    }

    private static String rejected(Offer offer) {
        return offer.known()
                .served()
                .map(offer::difference)
                .filter(difference -> !difference.isEmpty())
                .map(difference -> "rejected: " + difference)
                .orElse("rejected");
    }

    private static ServingDecision decided(
            ServingPolicy.Verdict verdict, String what, Offer offer) {
        String reason = what + verdict.source();
        return switch (verdict.action()) {
            case ACCEPT -> new Serve("");
            case WARN -> new Serve(reason);
            case QUARANTINE, REJECT -> hold(verdict.action(), reason, offer);
        };
    }

    /** What changed is running, so nothing from before can be served in its place. */
    private static ServingDecision hold(PolicyAction action, String what, Offer offer) {
        return new Hold(
                offer.known()
                        .served()
                        .filter(_ -> !offer.isCode())
                        .filter(served -> offer.mayStay(CanonicalJson.digest(served)))
                        .filter(offer::honors),
                action,
                what);
    }
}
