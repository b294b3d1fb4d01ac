package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Frozen;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Deletes resources that no manifest contains any more. */
final class Pruner {

    /** Limits a single run: a larger number is more likely a mistake. */
    static final int MAX_PRUNED = 10_000;

    private static final int ATTEMPTS = 5;

    private static final Comparator<Kind<?>> LAST_FIRST =
            Comparator.<Kind<?>>comparingInt(Batch::rank).reversed();

    private final ApplyClient client;
    private final boolean dryRun;
    private final Set<Name> spared;

    /** A resource as listed. */
    private record Candidate(Kind<?> kind, ResourceKey key, String uid, String version) {

        static Candidate of(Kind<?> kind, JsonNode resource) {
            JsonNode metadata = resource.path("metadata");
            return new Candidate(
                    kind,
                    new ResourceKey(
                            metadata.path("namespace").asString(""),
                            metadata.path("name").asString("")),
                    metadata.path("uid").asString(""),
                    metadata.path("resourceVersion").asString(""));
        }
    }

    /** Names a resource; the Secrets of both groups are the same. */
    private record Name(String kind, ResourceKey key) {}

    /**
     * @param spared documents whose resources stay
     */
    Pruner(ApplyClient client, boolean dryRun, List<Intent> spared) {
        this.client = client;
        this.dryRun = dryRun;
        this.spared =
                Frozen.set(
                        spared.stream()
                                .map(intent -> new Name(intent.kind().name(), intent.key()))
                                .toList());
    }

    /**
     * Lists the scope, then deletes the resources that are not kept.
     *
     * @param kept uids of the resources in manifests
     * @throws ApiException before any deletion, when there are too many
     */
    void prune(PruneScope scope, Set<String> kept, Consumer<Pruned> sink) {
        for (Candidate candidate : candidates(scope, kept)) {
            if (delete(candidate, scope)) {
                sink.accept(new Pruned(candidate.kind(), candidate.key()));
            }
        }
    }

    private List<Candidate> candidates(PruneScope scope, Set<String> kept) {
        List<Candidate> found = new ArrayList<>();
        Set<String> seen = new HashSet<>(kept);
        List<Kind<?>> kinds = new ArrayList<>(scope.kinds());
        kinds.sort(LAST_FIRST);
        for (Kind<?> kind : kinds) {
            Collection<String> namespaces = kind.namespaced() ? scope.namespaces() : List.of("");
            for (String namespace : namespaces) {
                client.forEach(
                        kind,
                        namespace,
                        scope.labels(),
                        resource -> {
                            Candidate candidate = Candidate.of(kind, resource);
                            Name name = new Name(kind.name(), candidate.key());
                            if (scope.mayDelete(resource)
                                    && !spared.contains(name)
                                    && seen.add(candidate.uid())) {
                                found.add(candidate);
                                requireFew(found.size());
                            }
                        });
            }
        }
        return found;
    }

    private static void requireFew(int count) {
        if (count > MAX_PRUNED) {
            throw new ApiException(
                    ErrorReason.FORBIDDEN,
                    ("nothing was pruned: more than %d resources are in no manifest; narrow"
                                    + " them with --selector, or delete them with orlojctl delete")
                            .formatted(MAX_PRUNED));
        }
    }

    /** Deletes a resource; returns false when it is gone, or no longer in the scope. */
    private boolean delete(Candidate found, PruneScope scope) {
        Candidate candidate = found;
        for (int attempt = 1; ; attempt++) {
            try {
                client.delete(candidate.kind(), candidate.key(), options(candidate));
                return true;
            } catch (ApiException e) {
                if (e.reason() == ErrorReason.NOT_FOUND) {
                    return false;
                }
                if (e.reason() != ErrorReason.CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
                Optional<ObjectNode> now = client.metadata(candidate.kind(), candidate.key());
                if (now.isEmpty()
                        || !Candidate.of(candidate.kind(), now.get()).uid().equals(candidate.uid())
                        || !scope.mayDelete(now.get())) {
                    return false;
                }
                candidate = Candidate.of(candidate.kind(), now.get());
            }
        }
    }

    private ObjectNode options(Candidate candidate) {
        ObjectNode options =
                Json.MAPPER
                        .createObjectNode()
                        .put("propagationPolicy", Propagation.BACKGROUND.wireName());
        options.putObject("preconditions")
                .put("uid", candidate.uid())
                .put("resourceVersion", candidate.version());
        if (dryRun) {
            options.putArray("dryRun").add("All");
        }
        return options;
    }
}
