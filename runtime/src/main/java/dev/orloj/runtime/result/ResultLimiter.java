package dev.orloj.runtime.result;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.node.ObjectNode;

/** Enforces the limits of results, and keeps the complete results that it shortens. Thread-safe. */
public final class ResultLimiter {

    private final KeptResults kept;

    public ResultLimiter(KeptResults kept) {
        this.kept = kept;
    }

    /**
     * Returns the result itself unless it has too much text.
     *
     * @param caller the client of the call, for which the complete result is kept
     */
    public ObjectNode limit(ResourceKey tool, String caller, ObjectNode result, OutputLimit limit) {
        if (limit.isNone()) {
            return result;
        }
        long most = limit.inBytes();
        long bytes = ResultText.bytes(result);
        return bytes <= most
                ? result
                : ResultCut.of(result, bytes, most, kept.keep(tool, caller, result));
    }
}
