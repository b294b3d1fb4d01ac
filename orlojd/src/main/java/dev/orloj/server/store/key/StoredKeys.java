package dev.orloj.server.store.key;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.store.key.KeyTable.Purpose;
import dev.orloj.server.store.key.KeyTable.Row;
import dev.orloj.server.store.key.KeyTable.State;
import dev.orloj.server.store.table.DataKey;
import dev.orloj.server.store.table.SealedValues;
import dev.orloj.server.store.table.SecretKeys;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import javax.sql.DataSource;

/**
 * The keys of a database, as this process can unwrap them. A key that was unwrapped once stays
 * until the process ends, so that what was read before a rotation can still be decrypted.
 * Thread-safe.
 */
public final class StoredKeys implements SecretKeys {

    private static final Logger log = LoggerFactory.getLogger(StoredKeys.class);

    /** A retired key is removed no sooner than twice this time later. */
    private static final Duration CHECK_PERIOD = Duration.ofSeconds(1);

    private final KeyTable table;
    private final KeySource source;
    private final DataSource pool;

    /** By their use. */
    @GuardedBy("this")
    private final Map<String, DataKey> unwrapped = new HashMap<>();

    @GuardedBy("this")
    private List<KeyEncryptionKey> wrapping = List.of();

    /** The keys of values of a database that has no keys of its own, and that the source lacks. */
    private volatile List<String> unnamed = List.of();

    private volatile Snapshot snapshot = Snapshot.EMPTY;
    private volatile Optional<DataKey> derivation = Optional.empty();
    private final DataKey substitute = DataKey.random();

    /**
     * The keys at one time.
     *
     * @param data by id; retired ones too
     * @param missing data keys that cannot be unwrapped, with the id of the key that wraps each
     * @param wanted ids of the keys that wrap what cannot be unwrapped
     * @param at in the nanoseconds of this process
     */
    private record Snapshot(
            Map<String, DataKey> data,
            Optional<DataKey> current,
            Optional<DataKey> derivation,
            Map<String, String> missing,
            Set<String> wanted,
            long at) {

        static final Snapshot EMPTY =
                new Snapshot(Map.of(), Optional.empty(), Optional.empty(), Map.of(), Set.of(), 0);

        boolean isOlderThan(Duration age) {
            return System.nanoTime() - at > age.toNanos();
        }
    }

    private StoredKeys(DataSource pool, KeySource source) {
        this.table = new KeyTable(JdbcClient.create(pool));
        this.source = source;
        this.pool = pool;
    }

    /**
     * Reads the keys of a database, and makes those of one that has none. When the key that wraps
     * them is not there, the result says so and makes no other.
     *
     * @throws IOException when the source cannot be read, or a first key cannot be stored
     * @throws IllegalArgumentException when the source has something that is no key
     */
    public static StoredKeys open(DataSource pool, KeySource source) throws IOException {
        StoredKeys keys = new StoredKeys(pool, source);
        List<KeyEncryptionKey> wrapping = source.load();
        try {
            new TransactionTemplate(new JdbcTransactionManager(pool))
                    .executeWithoutResult(_ -> keys.prepare(wrapping));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        keys.load();
        keys.derivation = keys.snapshot.derivation();
        keys.problem().ifPresent(problem -> log.atError().log("{}", problem));
        return keys;
    }

    /** A database of before goes on with its one key, so that nothing in it has to change. */
    private void prepare(List<KeyEncryptionKey> configured) {
        table.lock();
        if (!table.all().isEmpty()) {
            return;
        }
        if (!table.hasResources()) {
            KeyEncryptionKey first = configured.isEmpty() ? create() : configured.getFirst();
            table.add(Purpose.DATA, DataKey.random(), first);
            table.add(Purpose.DERIVATION, DataKey.random(), first);
            return;
        }
        List<String> named = SealedValues.keyIds(pool);
        List<KeyEncryptionKey> keys =
                configured.isEmpty() && named.isEmpty() ? List.of(create()) : configured;
        Optional<LocalKey> before =
                keys.stream()
                        .filter(LocalKey.class::isInstance)
                        .map(LocalKey.class::cast)
                        .filter(key -> named.isEmpty() || named.contains(key.id()))
                        .findFirst();
        if (before.isEmpty()) {
            unnamed = named;
            return;
        }
        table.add(Purpose.DATA, before.get().key(), keys.getFirst());
        table.add(Purpose.DERIVATION, before.get().key(), keys.getFirst());
    }

    private KeyEncryptionKey create() {
        try {
            return source.create();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the keys anew, and those of the source if one of them is not known yet. */
    synchronized void load() {
        long now = System.nanoTime();
        List<Row> rows = table.all();
        if (wrapping.isEmpty() || lacksKey(rows)) {
            wrapping = read();
        }
        if (!rows.isEmpty()) {
            unnamed = List.of();
        }
        snapshot = snapshot(rows, now);
    }

    @GuardedBy("this")
    private boolean lacksKey(List<Row> rows) {
        for (Row row : rows) {
            if (isNeeded(row) && unwrap(row).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @GuardedBy("this")
    private Snapshot snapshot(List<Row> rows, long now) {
        Map<String, DataKey> data = new HashMap<>();
        Map<String, String> missing = new HashMap<>();
        Set<String> wanted = new TreeSet<>(unnamed);
        Optional<DataKey> current = Optional.empty();
        Optional<DataKey> root = Optional.empty();
        // Values of before databases had keys.
        for (KeyEncryptionKey key : wrapping) {
            if (key instanceof LocalKey(DataKey local)) {
                data.put(local.id(), local);
            }
        }
        for (Row row : rows) {
            Optional<DataKey> key = unwrap(row);
            boolean isCurrent = row.state() == State.CURRENT;
            if (row.purpose() == Purpose.DERIVATION) {
                root = isCurrent ? key : root;
            } else if (key.isPresent()) {
                data.put(row.id(), key.get());
                current = isCurrent ? key : current;
            }
            if (key.isEmpty() && isNeeded(row)) {
                wanted.add(row.wrappedBy());
                if (row.purpose() == Purpose.DATA) {
                    missing.put(row.id(), row.wrappedBy());
                }
            }
        }
        return new Snapshot(data, current, root, missing, wanted, now);
    }

    private static boolean isNeeded(Row row) {
        return row.state() == State.CURRENT
                || row.state() == State.RETIRED && row.purpose() == Purpose.DATA;
    }

    @GuardedBy("this")
    private List<KeyEncryptionKey> read() {
        try {
            return source.load();
        } catch (IOException | IllegalArgumentException e) {
            log.atWarn()
                    .addKeyValue("source", source.description())
                    .addKeyValue("error", e.toString())
                    .log("The keys that protect the Secrets cannot be read");
            return wrapping;
        }
    }

    @GuardedBy("this")
    private Optional<DataKey> unwrap(Row row) {
        DataKey known = unwrapped.get(row.use());
        if (known != null) {
            return Optional.of(known);
        }
        Optional<DataKey> key =
                wrapping.stream()
                        .filter(outer -> outer.id().equals(row.wrappedBy()))
                        .flatMap(outer -> outer.unwrap(row.wrapped(), row.use()).stream())
                        .map(DataKey::of)
                        .findFirst();
        key.ifPresent(found -> unwrapped.put(row.use(), found));
        return key;
    }

    /** Returns the keys of the source as they are now, the one for new wraps first. */
    synchronized List<KeyEncryptionKey> wrapping() {
        wrapping = read();
        return wrapping;
    }

    /** Returns the ids of the keys of the source as they are now. */
    public List<String> wrappingIds() {
        return wrapping().stream().map(KeyEncryptionKey::id).toList();
    }

    /** Reads the keys anew, after others were stored. */
    public void reload() {
        load();
    }

    /** Returns a key that was unwrapped. */
    synchronized Optional<DataKey> unwrapped(Row row) {
        return unwrap(row);
    }

    private void refresh() {
        if (snapshot.isOlderThan(CHECK_PERIOD)) {
            load();
        }
    }

    @Override
    public DataKey current() {
        refresh();
        return snapshot.current()
                .orElseThrow(
                        () -> new ApiException(ErrorReason.SERVICE_UNAVAILABLE, whyMissing("")));
    }

    @Override
    public Optional<DataKey> find(String id) {
        if (!snapshot.data().containsKey(id) && snapshot.isOlderThan(CHECK_PERIOD)) {
            load();
        }
        return Optional.ofNullable(snapshot.data().get(id));
    }

    @Override
    public DataKey derivation() {
        return derivation.orElse(substitute);
    }

    @Override
    public boolean isComplete() {
        refresh();
        return derivation.isPresent() && !isDerivationReplaced();
    }

    /** Returns whether a restore brought another key, from which nothing here is derived yet. */
    public boolean isDerivationReplaced() {
        Optional<DataKey> used = derivation;
        return used.isPresent()
                && snapshot.derivation()
                        .filter(key -> !key.id().equals(used.get().id()))
                        .isPresent();
    }

    @Override
    public String whyMissing(String id) {
        Snapshot now = snapshot;
        if (id.isEmpty()) {
            return problem().orElse("the keys of the database are there again: restart orlojd");
        }
        String outer = now.missing().getOrDefault(id, id);
        Optional<String> unusable = source.problem(outer);
        if (unusable.isPresent()) {
            return "it was encrypted with key \"%s\", which is wrapped by key \"%s\", and that cannot be used: %s"
                    .formatted(id, outer, unusable.get());
        }
        return "it was encrypted with key \"%s\"%s, and %s does not have %s; %s and restart orlojd, or delete what is encrypted with it and create it again"
                .formatted(
                        id,
                        outer.equals(id) ? "" : ", which is wrapped by key \"" + outer + "\"",
                        source.description(),
                        outer.equals(id) ? "it" : "\"" + outer + "\"",
                        Pkcs11Uri.isId(outer)
                                ? "give that key with --secret-key-pkcs11"
                                : "add that key there as a further line");
    }

    /**
     * Like {@link #problem}, as of the last second: another replica may have restored a backup.
     * While the database does not answer, as of before.
     */
    public Optional<String> presentProblem() {
        try {
            refresh();
        } catch (DataAccessException e) {
            log.atDebug()
                    .addKeyValue("error", e.toString())
                    .log("The keys of the database cannot be read");
        }
        return problem();
    }

    /** Says which key is not there, with the remedy; empty when nothing is missing. */
    public Optional<String> problem() {
        Set<String> wanted = snapshot.wanted();
        if (wanted.isEmpty() && isDerivationReplaced()) {
            return Optional.of(
                    "a backup was restored whose derivation key is another one than that with which"
                            + " orlojd started: restart orlojd");
        }
        if (wanted.isEmpty()) {
            return derivation.isPresent()
                    ? Optional.empty()
                    : Optional.of(
                            "the key that protects the Secrets was not there when orlojd started,"
                                    + " and is there now: restart orlojd");
        }
        return Optional.of(wanted.stream().map(this::absent).collect(Collectors.joining("; ")));
    }

    private String absent(String id) {
        Optional<String> unusable = source.problem(id);
        if (unusable.isPresent()) {
            return "the key \"%s\", which protects the Secrets of this database, cannot be used: %s; what needs no Secret is served; restart orlojd when the key is back"
                    .formatted(id, unusable.get());
        }
        return "%s does not have the key \"%s\", which protects the Secrets of this database: they cannot be read; %s and restart orlojd; docs/runbook.md says what to do if it is lost"
                .formatted(
                        source.description(),
                        id,
                        Pkcs11Uri.isId(id)
                                ? "give that key with --secret-key-pkcs11"
                                : "put that key back");
    }

    /** Returns the ids of keys that wrap what cannot be unwrapped. */
    public Set<String> wanted() {
        return snapshot.wanted();
    }

    @Override
    public String toString() {
        return "StoredKeys" + snapshot.data().keySet();
    }
}
