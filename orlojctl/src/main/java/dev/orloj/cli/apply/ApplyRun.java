package dev.orloj.cli.apply;

import dev.orloj.api.ApiException;
import dev.orloj.cli.http.ApiConnection;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** Applies documents, then deletes resources that no document contains any more. For one thread. */
public final class ApplyRun {

    private final ApplyClient client;
    private final ServerSideApply apply;
    private final ApplyOptions options;
    private final Pruning pruning;
    private final Optional<ApplySet> set;
    private final List<Intent> intents;
    private final Set<String> uids = new HashSet<>();

    /**
     * @throws ApiException when a document cannot be a member of the ApplySet
     */
    public ApplyRun(
            ApiConnection connection,
            ApplyOptions options,
            Pruning pruning,
            List<Intent> documents) {
        this.client = new ApplyClient(connection);
        this.apply = new ServerSideApply(client, options);
        this.options = options;
        this.pruning = pruning;
        this.set =
                pruning instanceof Pruning.OfSet parent
                        ? Optional.of(new ApplySet(client, parent, version(), options.dryRun()))
                        : Optional.empty();
        this.intents = set.map(s -> s.adopt(documents)).orElse(documents);
    }

    private static String version() {
        String version = ApplyRun.class.getPackage().getImplementationVersion();
        return version == null ? "0.0.0" : version;
    }

    /**
     * Applies the documents.
     *
     * @throws ApiException when the parent of the ApplySet cannot be used; then nothing is applied
     */
    public void apply(Batch.Sink<Applied> sink) {
        set.ifPresent(s -> s.widen(intents));
        Function<Intent, Applied> work =
                set.isPresent() && !options.force() ? this::applyMember : apply::apply;
        new Batch<>(intents, work)
                .run(
                        (position, result) ->
                                sink.accept(
                                        position,
                                        () -> {
                                            Applied applied = result.get();
                                            uids.add(applied.uid());
                                            return applied;
                                        }));
    }

    private Applied applyMember(Intent intent) {
        set.orElseThrow().requireFree(intent);
        return apply.apply(intent);
    }

    /**
     * Deletes resources that no document contains any more. Call it only when all documents were
     * applied.
     *
     * @param spared documents that were not applied, and whose resources stay
     */
    public void prune(List<Intent> spared, Consumer<Pruned> sink) {
        Pruner pruner = new Pruner(client, options.dryRun(), spared);
        switch (pruning) {
            case Pruning.None _ -> {}
            case Pruning.ByManager applied ->
                    pruner.prune(
                            PruneScope.applied(applied, namespaces(), options.fieldManager()),
                            uids,
                            sink);
            case Pruning.OfSet _ -> {
                ApplySet members = set.orElseThrow();
                pruner.prune(members.scope(), uids, sink);
                members.narrow(intents);
            }
        }
    }

    private Set<String> namespaces() {
        Set<String> namespaces = new TreeSet<>();
        intents.stream()
                .filter(intent -> intent.kind().namespaced())
                .forEach(intent -> namespaces.add(intent.key().namespace()));
        return namespaces;
    }
}
