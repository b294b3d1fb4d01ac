package dev.orloj.server.store.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ApprovedFeatures;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.ledger.LedgerEntry;
import dev.orloj.api.ledger.LedgerState;
import dev.orloj.api.ledger.LedgerVerification;
import dev.orloj.api.ledger.ServerRecord;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Appends to the ledgers of servers what a transaction writes. All writes of Tools pass here, so
 * the Tools of a server are always the fold of its ledger. The first write after a start compares
 * them, which enrols the Tools of a server that has no ledger yet. Thread-safe.
 */
public final class ToolLedger {

    /** Short beside the time that a ledger is kept. */
    private static final Duration SWEEP_PERIOD = Duration.ofHours(1);

    /** The changes to one ledger in one transaction. */
    private static final class Part {

        private final Map<String, GeneratedTool> before = new TreeMap<>();
        private final Map<String, GeneratedTool> after = new TreeMap<>();
        private Optional<LedgerWrite> server = Optional.empty();

        /** Returns whether clients of the server get another description. */
        boolean isRedescribed() {
            return server.flatMap(LedgerWrite::after).isPresent()
                    && !described().equals(redescribed());
        }

        boolean wasSynced() {
            return server.flatMap(LedgerWrite::before)
                    .filter(before -> before.path("status").has("lastSyncedAt"))
                    .isPresent();
        }

        ServerDescription described() {
            return description(server.flatMap(LedgerWrite::before));
        }

        ServerDescription redescribed() {
            return description(server.flatMap(LedgerWrite::after));
        }

        private static ServerDescription description(Optional<ObjectNode> document) {
            return ServerDescription.ofStatus(
                    document.map(server -> server.path("status"))
                            .orElseGet(Json.MAPPER::missingNode));
        }
    }

    private final LedgerTable table;
    private final LedgerRetention retention;
    private final ApprovalGuard guard;
    private final LedgerFeatures features;
    private final HeldRenames renames;
    private final InstantSource clock;

    /** The servers whose ledgers were compared with their Tools. */
    private final Set<ResourceKey> compared = ConcurrentHashMap.newKeySet();

    /** Only the thread that sweeps uses it. */
    private Instant sweepDue = Instant.MIN;

    public ToolLedger(JdbcClient jdbc, InstantSource clock) {
        this(jdbc, clock, LedgerRetention.Limits.DEFAULT);
    }

    ToolLedger(JdbcClient jdbc, InstantSource clock, LedgerRetention.Limits limits) {
        this.table = new LedgerTable(jdbc);
        this.retention = new LedgerRetention(jdbc, table, limits);
        this.guard = new ApprovalGuard(jdbc);
        this.features = new LedgerFeatures(jdbc);
        this.renames = new HeldRenames(jdbc);
        this.clock = clock;
    }

    /**
     * Removes the ledgers of servers that were deleted long ago, unless it did so in the last hour:
     * that reads the heads of all ledgers, and every replica does it. For one thread.
     */
    public void sweep() {
        Instant now = clock.instant();
        if (!now.isBefore(sweepDue)) {
            table.removeAbandoned(now.minus(LedgerVerification.KEPT_WITHOUT_SERVER));
            sweepDue = now.plus(SWEEP_PERIOD);
        }
    }

    /** Returns whether a write may add entries, and so needs a transaction with {@link #append}. */
    public boolean concerns(KindDescriptor<?> kind, LedgerWrite write) {
        if (isTool(kind)) {
            return write.before().flatMap(GeneratedTool::of).isPresent()
                    || write.after().flatMap(GeneratedTool::of).isPresent();
        }
        return isServer(kind) && concernsServer(write);
    }

    private boolean concernsServer(LedgerWrite write) {
        if (write.before().isEmpty()) {
            return false; // recorded with the first sync
        }
        if (write.after().isEmpty()) {
            return true;
        }
        ObjectNode after = write.after().get();
        return after.path("status").has("lastSyncedAt") && !compared.contains(write.key())
                || !ServerRecord.of(write.before().get()).equals(ServerRecord.of(after));
    }

    /**
     * Appends what these writes change, in the transaction of the caller. Locks the ledgers, so it
     * comes after the locks of rows and before the revision is taken.
     *
     * @throws dev.orloj.api.ApiException (Forbidden) if the policy of a server does not serve a
     *     definition
     */
    public void append(KindDescriptor<?> kind, List<LedgerWrite> writes) {
        if (!isTool(kind) && !isServer(kind)) {
            return;
        }
        SortedMap<ResourceKey, Part> parts = new TreeMap<>();
        for (LedgerWrite write : writes) {
            if (isServer(kind)) {
                if (concernsServer(write)) {
                    part(parts, write.key()).server = Optional.of(write);
                }
                continue;
            }
            String namespace = write.key().namespace();
            write.before()
                    .flatMap(GeneratedTool::of)
                    .ifPresent(
                            tool ->
                                    part(parts, new ResourceKey(namespace, tool.server()))
                                            .before
                                            .put(tool.resource(), tool));
            write.after()
                    .flatMap(GeneratedTool::of)
                    .ifPresent(
                            tool ->
                                    part(parts, new ResourceKey(namespace, tool.server()))
                                            .after
                                            .put(tool.resource(), tool));
        }
        parts.forEach(this::append);
    }

    private static Part part(SortedMap<ResourceKey, Part> parts, ResourceKey server) {
        return parts.computeIfAbsent(server, _ -> new Part());
    }

    private void append(ResourceKey server, Part part) {
        boolean hasTools = !part.before.isEmpty() || !part.after.isEmpty();
        Optional<ApprovalGuard.InForce> policy =
                hasTools || part.isRedescribed() ? guard.policy(server) : Optional.empty();
        LedgerTable.Head head = table.lock(server);
        policy.ifPresent(
                inForce -> {
                    guard.check(server, inForce, part.before, part.after);
                    guard.remember(server, part.before, part.after, clock.instant());
                    if (part.isRedescribed()) {
                        guard.check(
                                server,
                                inForce.policy(),
                                part.wasSynced(),
                                part.described(),
                                part.redescribed());
                        guard.remember(
                                server, part.described(), part.redescribed(), clock.instant());
                    }
                });
        LedgerDrafts drafts = new LedgerDrafts();
        if (!compared.contains(server)) {
            drafts.reconcile(state(server, head), table.tools(server));
            AfterCommit.run(() -> compared.add(server));
        }
        drafts.difference(
                part.before,
                part.after,
                policy.filter(inForce -> !inForce.first())
                        .map(_ -> renames.find(server, part.before, part.after))
                        .orElse(HeldRenames.Found.NONE));
        part.server.ifPresent(write -> record(server, head, write, drafts));
        if (!drafts.entries().isEmpty()) {
            append(server, head, drafts);
        }
    }

    /**
     * Records what a server offers besides tools, and what of it is served, in the transaction of
     * the caller. Does nothing for a server that does not exist.
     */
    ApprovedFeatures offer(ResourceKey server, OfferedFeatures offered) {
        if (!guard.exists(server)) {
            return ApprovedFeatures.NONE;
        }
        ServingPolicy policy =
                guard.policy(server).map(ApprovalGuard.InForce::policy).orElse(ServingPolicy.NONE);
        LedgerTable.Head head = table.lock(server);
        LedgerDrafts drafts = new LedgerDrafts();
        ApprovedFeatures approved =
                features.offer(
                        server,
                        policy,
                        offered,
                        () -> features(server, head),
                        drafts,
                        clock.instant());
        if (!drafts.entries().isEmpty()) {
            append(server, head, drafts);
        }
        return approved;
    }

    private Map<String, String> features(ResourceKey server, LedgerTable.Head head) {
        Map<String, String> features = new TreeMap<>(state(server, head).features());
        features.remove(DefinitionName.RUNS.text());
        return features;
    }

    private void record(
            ResourceKey server, LedgerTable.Head head, LedgerWrite write, LedgerDrafts drafts) {
        if (write.after().isEmpty()) {
            features.withdraw(server, drafts, clock.instant());
            if (!head.record().isEmpty()) {
                drafts.recordGone();
            }
            AfterCommit.run(() -> compared.remove(server));
            return;
        }
        ServerRecord record = ServerRecord.of(write.after().get());
        if (record.hasIdentity() || !head.record().isEmpty()) {
            drafts.record(head.record(), record);
        }
    }

    /** Appends entries to the ledger of a server whose head is locked. */
    void append(ResourceKey server, LedgerTable.Head head, LedgerDrafts drafts) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        List<LedgerEntry> entries = new ArrayList<>();
        String hash = head.hash();
        String record = head.record();
        for (LedgerEntry.Draft draft : drafts.entries()) {
            LedgerEntry entry = draft.after(head.sequence() + entries.size(), hash, now);
            entries.add(entry);
            hash = entry.hash();
            if (entry.subject().equals(LedgerEntry.SERVER)) {
                record = entry.content();
            }
        }
        List<LedgerTable.Content> contents = drafts.contents(head.sequence());
        long bytes = contents.stream().mapToLong(content -> content.document().length()).sum();
        LedgerTable.Head next =
                new LedgerTable.Head(
                        head.sequence() + entries.size(),
                        hash,
                        head.summary(),
                        head.due(),
                        record,
                        head.bytes() + bytes);
        table.append(server, entries, contents, next, now);
        retention.apply(server, next, () -> state(server, next), now);
    }

    /** Returns the fold of the entries: the newest summary and those after it. */
    private LedgerState state(ResourceKey server, LedgerTable.Head head) {
        return LedgerReading.state(table, server, head);
    }

    private static boolean isTool(KindDescriptor<?> kind) {
        return kind.kind().equals(Tool.KIND);
    }

    private static boolean isServer(KindDescriptor<?> kind) {
        return kind.kind().equals(McpServer.KIND);
    }
}
