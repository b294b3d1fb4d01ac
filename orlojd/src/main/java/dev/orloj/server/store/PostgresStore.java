package dev.orloj.server.store;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.Status;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.server.store.change.ChangeFeed;
import dev.orloj.server.store.change.ChangeListener;
import dev.orloj.server.store.change.ChangeLog;
import dev.orloj.server.store.change.ChangeRetention;
import dev.orloj.server.store.change.ChangeSelector;
import dev.orloj.server.store.change.ChangeWatch;
import dev.orloj.server.store.change.ChangeWindow;
import dev.orloj.server.store.change.PresentState;
import dev.orloj.server.store.change.ResourceLists;
import dev.orloj.server.store.change.WakeUp;
import dev.orloj.server.store.ledger.ToolLedger;
import dev.orloj.server.store.table.ContinueToken;
import dev.orloj.server.store.table.DatabaseFailure;
import dev.orloj.server.store.table.DocumentCodec;
import dev.orloj.server.store.table.DocumentList;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.Selection;
import dev.orloj.server.store.table.Shards;
import dev.orloj.server.store.table.StoreSettings;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

import javax.sql.DataSource;

/**
 * Stores all resources in PostgreSQL. Any number of processes may use one database. Safe for use by
 * many threads.
 *
 * <p>Documents are complete resources. The store assigns {@code metadata.resourceVersion}; the
 * calling code sets everything else. The schema is that of {@code db/migration}, applied before
 * {@link #start}.
 */
public final class PostgresStore implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);

    private final StoreSettings settings;
    private final InstantSource clock;
    private final ResourceTable table;
    private final ResourceLists lists;
    private final ResourceWriter writer;
    private final DocumentCodec codec;
    private final ChangeLog changeLog;
    private final ChangeRetention retention;
    private final ToolLedger ledger;
    private final Map<KindDescriptor.Shard, ChangeFeed> feeds =
            new EnumMap<>(KindDescriptor.Shard.class);
    private final ChangeListener listener;
    private final WakeUp ending = new WakeUp();

    private volatile boolean closed;

    /**
     * @param dataSource a pool
     * @param directDataSource opens the one connection that is kept for announcements; no pool, and
     *     no pooler in between
     */
    public PostgresStore(
            DataSource dataSource,
            DataSource directDataSource,
            SecretCipher cipher,
            StoreSettings settings,
            InstantSource clock) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        this.settings = settings;
        this.clock = clock;
        this.codec = new DocumentCodec(cipher);
        this.table = new ResourceTable(jdbc);
        this.lists = new ResourceLists(jdbc, codec);
        this.changeLog = new ChangeLog(jdbc);
        this.retention = new ChangeRetention(jdbc, settings);
        this.ledger = new ToolLedger(jdbc, clock);
        this.writer =
                new ResourceWriter(
                        dataSource,
                        table,
                        codec,
                        retention,
                        ledger,
                        (shard, revision) -> feed(shard).announce(revision));
        Map<String, ChangeFeed> byName = new HashMap<>();
        for (KindDescriptor.Shard shard : KindDescriptor.Shard.values()) {
            ChangeFeed feed = new ChangeFeed(shard, changeLog, settings);
            feeds.put(shard, feed);
            byName.put(Shards.column(shard), feed);
        }
        this.listener = new ChangeListener(directDataSource, byName);
    }

    /** Begins to follow changes and to maintain the log. */
    public void start() {
        for (KindDescriptor.Shard shard : KindDescriptor.Shard.values()) {
            retention.extend(shard);
        }
        feeds.values().forEach(ChangeFeed::start);
        listener.start();
        Thread.ofVirtual().name("orloj-change-retention").start(this::maintain);
    }

    /** The stored document; empty when there is none. */
    public Optional<ObjectNode> find(KindDescriptor<?> kind, ResourceKey key) {
        return DatabaseFailure.reading(() -> table.find(kind, key))
                .map(row -> codec.fromRow(kind, key, row.version(), row.json()));
    }

    /**
     * A page of a collection. Pages that continue a list show what the first one saw.
     *
     * @throws ApiException (Expired) when the change log no longer reaches back to the first page,
     *     (Timeout) when the store does not reach {@link ListOptions#notOlderThan} in time,
     *     (BadRequest) for a field that cannot be selected by or a token that is none
     */
    public DocumentList list(KindDescriptor<?> kind, ListOptions options) {
        return DatabaseFailure.reading(() -> read(kind, options));
    }

    private DocumentList read(KindDescriptor<?> kind, ListOptions options) {
        Selection selection = Selection.of(kind, options);
        if (!options.continueToken().isEmpty()) {
            ContinueToken token = ContinueToken.decode(options.continueToken());
            return lists.next(selection, token, options.limit());
        }
        DocumentList list = lists.first(selection, options.limit());
        long wanted = options.notOlderThan().value();
        if (wanted <= list.version().value()) {
            return list;
        }
        if (!feed(kind).awaitHead(wanted, settings.headTimeout())) {
            throw tooLarge(kind, wanted, list.version().value());
        }
        return lists.first(selection, options.limit());
    }

    /**
     * The first page of a collection as it was at a revision.
     *
     * @throws ApiException (Expired) when the change log no longer reaches back to the revision,
     *     (Timeout) when the store does not reach it in time, (BadRequest) for a field that cannot
     *     be selected by
     */
    public DocumentList listAt(
            KindDescriptor<?> kind, ListOptions options, ResourceVersion revision) {
        return DatabaseFailure.reading(() -> readAt(kind, options, revision));
    }

    private DocumentList readAt(
            KindDescriptor<?> kind, ListOptions options, ResourceVersion revision) {
        Selection selection = Selection.of(kind, options);
        long wanted = revision.value();
        ChangeFeed feed = feed(kind);
        // This replica may lag behind a revision that a client got from another one.
        if (feed.window().head() < wanted) {
            long head = changeLog.bounds(kind.shard()).head();
            if (head < wanted && !feed.awaitHead(wanted, settings.headTimeout())) {
                throw tooLarge(kind, wanted, head);
            }
        }
        return lists.at(selection, wanted, options.limit());
    }

    private static ApiException tooLarge(KindDescriptor<?> kind, long wanted, long current) {
        return new ApiException(
                ErrorReason.TIMEOUT,
                "Timeout: Too large resource version: %d, current: %d".formatted(wanted, current),
                new Status.Details(
                        "",
                        kind.kind().group(),
                        kind.kind().plural(),
                        "",
                        List.of(
                                new Status.Cause(
                                        "ResourceVersionTooLarge",
                                        "Too large resource version",
                                        "")),
                        1));
    }

    /**
     * Atomic read-modify-write of one resource, which may not exist yet. Returns the document as it
     * is stored, kept or removed, with its version; what equals the stored document is not written
     * and keeps the version it has.
     *
     * @throws ApiException that the mutation throws, (Conflict) when other writers were faster each
     *     time
     */
    public ObjectNode write(KindDescriptor<?> kind, ResourceKey key, Mutation mutation) {
        return DatabaseFailure.writing(() -> writer.write(kind, key, mutation));
    }

    /** Writes many resources of a kind in one transaction: all, or when a mutation throws, none. */
    public void writeAll(KindDescriptor<?> kind, SortedMap<ResourceKey, Mutation> mutations) {
        DatabaseFailure.writing(
                () -> {
                    writer.writeAll(kind, mutations);
                    return mutations;
                });
    }

    /** The newest revision of a shard. */
    public ResourceVersion head(KindDescriptor.Shard shard) {
        return DatabaseFailure.reading(() -> new ResourceVersion(changeLog.bounds(shard).head()));
    }

    /**
     * The revision of the newest change of a kind, which the watches of this process deliver soon,
     * even if its announcement is lost; if the log has removed that change, the last revision that
     * it removed.
     */
    public ResourceVersion newestChange(KindDescriptor<?> kind) {
        long revision = DatabaseFailure.reading(() -> changeLog.newest(kind));
        feed(kind).announce(revision);
        return new ResourceVersion(revision);
    }

    /**
     * Delivers every change after {@link WatchOptions#from} in the order of commits, each exactly
     * once; with no revision to start from, the present state as additions first, a bookmark that
     * marks its end, and then the changes. Bookmarks come when there are no changes. Documents of
     * events may be shared with other watches: they must not be changed.
     *
     * @throws ApiException (Expired) when the revision is older than the change log, or newer than
     *     the store
     */
    public Watch<ObjectNode> watch(KindDescriptor<?> kind, WatchOptions options) {
        Selection selection = Selection.of(kind, options);
        ChangeFeed feed = feed(kind);
        ChangeWatch watch =
                new ChangeWatch(
                        feed,
                        new ChangeSelector(selection, codec),
                        DatabaseFailure.reading(() -> start(selection, feed, options)),
                        clock);
        feed.register(watch);
        return watch;
    }

    private ChangeWatch.Start start(Selection selection, ChangeFeed feed, WatchOptions options) {
        ChangeWindow window = feed.window();
        if (!options.from().isSet()) {
            PresentState present = new PresentState(lists, selection);
            return new ChangeWatch.Start(window.epoch(), present.revision(), present);
        }
        long from = options.from().value();
        if (from < window.floor() || from > window.head()) {
            changeLog.bounds(selection.kind().shard()).check(from);
        }
        return new ChangeWatch.Start(window.epoch(), from, null);
    }

    /** Removes changes beyond those that the settings keep. The store also does so periodically. */
    public void compact() {
        for (KindDescriptor.Shard shard : KindDescriptor.Shard.values()) {
            retention.compact(shard);
        }
    }

    private void maintain() {
        while (!closed) {
            try {
                ending.await(settings.maintainEvery());
                if (!closed) {
                    for (KindDescriptor.Shard shard : KindDescriptor.Shard.values()) {
                        retention.extend(shard);
                    }
                    compact();
                    ledger.sweep();
                }
            } catch (DataAccessException e) {
                log.atWarn().setCause(e).log("Old changes could not be removed");
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private ChangeFeed feed(KindDescriptor<?> kind) {
        return feed(kind.shard());
    }

    private ChangeFeed feed(KindDescriptor.Shard shard) {
        return Objects.requireNonNull(feeds.get(shard));
    }

    /** The problems of the database, each in a sentence; empty when it reads and writes. */
    public List<String> obstacles() {
        return Stream.concat(
                        feeds.values().stream().flatMap(feed -> feed.trouble().stream()),
                        writer.trouble().stream())
                .distinct()
                .toList();
    }

    /** Closes every watch and stops all background work; the data sources stay open. */
    @Override
    public void close() {
        closed = true;
        ending.raise();
        listener.close();
        feeds.values().forEach(ChangeFeed::close);
    }
}
