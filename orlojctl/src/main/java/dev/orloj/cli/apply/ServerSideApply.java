package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.cli.http.ConnectionException;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/**
 * Applies documents, each with one request. Only a resource that an older orlojctl wrote takes
 * several, once. Safe for many threads.
 */
final class ServerSideApply {

    /**
     * Limits the attempts of an upgrade: each failed one means that another client wrote
     * successfully.
     */
    static final int ATTEMPTS = 25;

    private final ApplyClient client;
    private final ApplyOptions options;

    ServerSideApply(ApplyClient client, ApplyOptions options) {
        this.client = client;
        this.options = options;
    }

    /**
     * @throws ApiException with which the server rejects the apply; {@link
     *     Conflicts#of(ApiException)} returns the fields of other managers
     */
    Applied apply(Intent intent) {
        if (!options.isUsualManager()) {
            return client.apply(intent, options);
        }
        try {
            Applied first = client.apply(intent, options);
            return OlderOwnership.isIn(first.document()) ? again(intent, first) : first;
        } catch (ApiException e) {
            if (!Conflicts.anyWithOlder(e)) {
                throw e;
            }
            return options.dryRun() ? tryOverOlder(intent, e) : applyOverOlder(intent);
        }
    }

    /**
     * Applies again to remove the fields that left the manifest since an older orlojctl wrote the
     * resource.
     */
    private Applied again(Intent intent, Applied first) {
        if (options.dryRun()) {
            return first.warning(notShown(intent));
        }
        try {
            upgrade(intent, first.document());
            return first.then(client.apply(intent, options));
        } catch (ApiException | ConnectionException e) {
            return first.warning(
                    ("%s \"%s\" was applied, but fields that left its manifest before are still"
                                    + " there; apply it again: %s")
                            .formatted(intent.kind().name(), intent.key().name(), e.getMessage()));
        }
    }

    private static String notShown(Intent intent) {
        return ("%s \"%s\" was written by an older orlojctl: fields that left its manifest since"
                        + " then go too, which this dry run does not show")
                .formatted(intent.kind().name(), intent.key().name());
    }

    private Applied applyOverOlder(Intent intent) {
        upgrade(intent, client.get(intent.kind(), intent.key()));
        return client.apply(intent, options);
    }

    /** Simulates an upgrade of the older entries, which a dry run cannot perform. */
    private Applied tryOverOlder(Intent intent, ApiException e) {
        List<Status.Cause> others = Conflicts.withoutOlder(e);
        if (!others.isEmpty()) {
            throw Conflicts.of(e, others);
        }
        return client.apply(intent, options.forced()).warning(notShown(intent));
    }

    private void upgrade(Intent intent, ObjectNode document) {
        ObjectNode current = document;
        for (int attempt = 1; ; attempt++) {
            Optional<ArrayNode> upgraded = OlderOwnership.upgraded(current);
            if (upgraded.isEmpty()) {
                return;
            }
            String version = current.at("/metadata/resourceVersion").asString("");
            try {
                client.replaceManagedFields(intent.kind(), intent.key(), upgraded.get(), version);
                return;
            } catch (ApiException e) {
                if (e.reason() != ErrorReason.CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
                current = client.get(intent.kind(), intent.key());
            }
        }
    }
}
