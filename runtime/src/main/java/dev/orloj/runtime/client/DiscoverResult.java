package dev.orloj.runtime.client;

import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.JsonNode;

/** Reads responses to {@code server/discover} (2026-07-28, "Discovery"). */
final class DiscoverResult {

    private DiscoverResult() {}

    /**
     * Returns whether the response lists the revision; some servers respond but support older
     * revisions only.
     */
    static boolean speaks(JsonNode answer, ProtocolRevision revision) {
        return answer.path("supportedVersions")
                .valueStream()
                .anyMatch(version -> version.asString("").equals(revision.version()));
    }

    static ServerIdentity identity(JsonNode answer, ProtocolRevision revision) {
        JsonNode meta = answer.path("_meta");
        return ServerIdentity.of(
                revision.version(),
                meta.path(Era.Modern.META_PREFIX + "serverInfo"),
                answer.path("capabilities"),
                answer.path("instructions"));
    }
}
