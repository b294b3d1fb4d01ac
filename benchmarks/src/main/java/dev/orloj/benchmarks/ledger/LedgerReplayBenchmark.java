package dev.orloj.benchmarks.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ledger.LedgerVerification;
import dev.orloj.benchmarks.database.Database;
import dev.orloj.benchmarks.many.Orlojctl;
import dev.orloj.benchmarks.report.Column;
import dev.orloj.benchmarks.report.Goal;
import dev.orloj.benchmarks.report.Row;
import dev.orloj.benchmarks.report.Rows;
import dev.orloj.benchmarks.report.Table;
import dev.orloj.benchmarks.suite.Benchmark;
import dev.orloj.benchmarks.suite.Effort;
import dev.orloj.benchmarks.suite.OrlojdProcess;
import dev.orloj.benchmarks.suite.Workplace;
import dev.orloj.server.store.ledger.LedgerReading;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The replay of the ledgers of many servers, beside a program that reads the same rows and compares
 * the hash of each with SHA-256 of its text.
 */
public final class LedgerReplayBenchmark implements Benchmark {

    private static final String BARE = "read and hash by JDBC";
    private static final String REPLAY = "replay";
    private static final String VERIFY = "orlojctl tools verify -A";
    private static final String SECONDS = "s";
    private static final String PER_SECOND = "entries/s";
    private static final String MEMORY = "MB";

    /** Entries for each object of the effort: a million, or fifty thousand. */
    private static final int PER_OBJECT = 1_000;

    /** The most that a ledger keeps, apart from those since its last summary. */
    private static final int OF_SERVER = 10_000;

    private static final int PAGE = 1_000;
    private static final double MAX_RATIO = 10;
    private static final double MAX_SECONDS_OF_MILLION = 60;

    private static final String ROWS =
            """
            SELECT entry, hash FROM tool_ledger_entry
             WHERE namespace = ? AND server = ? AND sequence > ? ORDER BY sequence LIMIT ?
            """;

    @Override
    public String name() {
        return "ledger";
    }

    @Override
    public String summary() {
        return "replay of the ledgers of tools";
    }

    @Override
    public Table run(Effort effort, Workplace workplace) throws Exception {
        int entries = effort.objects() * PER_OBJECT;
        Rows rows = new Rows();
        try (Database database = Database.create(workplace.newFolder("ledger"))) {
            List<ResourceKey> servers = write(database, entries);
            try (OrlojdProcess orlojd =
                    OrlojdProcess.start(
                            workplace,
                            workplace.newFolder("orlojd"),
                            database.options().toArray(String[]::new))) {
                Path folder = workplace.newFolder("orlojctl");
                Path checkpoint = folder.resolve("checkpoint");
                Files.writeString(
                        checkpoint,
                        Orlojctl.run(orlojd, folder, "tools", "checkpoint", "-A").output());
                bare(database, servers.subList(0, 1));
                replay(database, servers.subList(0, 1));
                for (int round = 0; round < rounds(effort); round++) {
                    rows.add(BARE, "", measure(entries, () -> bare(database, servers)));
                    rows.add(REPLAY, "", measure(entries, () -> replay(database, servers)));
                    rows.add(VERIFY, "", verify(orlojd, folder, checkpoint, servers, entries));
                }
            }
        }
        return table(rows.list(), entries);
    }

    /** A round of a million entries is long enough for its figure to be steady. */
    private static int rounds(Effort effort) {
        return Math.min(effort.rounds(), 3);
    }

    private static List<ResourceKey> write(Database database, int entries) throws SQLException {
        List<ResourceKey> servers = new ArrayList<>();
        try (Connection connection = database.connect()) {
            for (int left = entries; left > 0; left -= OF_SERVER) {
                String server = "server-" + servers.size();
                new LedgerWriter(connection, server, servers.size())
                        .write(Math.min(left, OF_SERVER));
                servers.add(new ResourceKey(LedgerWriter.NAMESPACE, server));
            }
            try (var statement = connection.createStatement()) {
                statement.execute("VACUUM ANALYZE");
            }
        }
        return servers;
    }

    /** Does it, and returns its figures. */
    private static Map<String, Double> measure(int entries, Replay work) throws Exception {
        System.gc();
        heap().forEach(MemoryPoolMXBean::resetPeakUsage);
        long start = System.nanoTime();
        long done = work.entries();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (done != entries) {
            throw new IllegalStateException("%d entries instead of %d".formatted(done, entries));
        }
        double peak = heap().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
        return Map.of(SECONDS, seconds, PER_SECOND, entries / seconds, MEMORY, peak / 1e6);
    }

    private interface Replay {
        long entries() throws Exception;
    }

    private static List<MemoryPoolMXBean> heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
    }

    private static long bare(Database database, List<ResourceKey> servers)
            throws SQLException, NoSuchAlgorithmException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        long done = 0;
        try (Connection connection = database.connect();
                PreparedStatement page = connection.prepareStatement(ROWS)) {
            for (ResourceKey server : servers) {
                long last = 0;
                long read;
                do {
                    page.setString(1, server.namespace());
                    page.setString(2, server.name());
                    page.setLong(3, last);
                    page.setInt(4, PAGE);
                    read = hash(page, sha256);
                    last += read;
                } while (read == PAGE);
                done += last;
            }
        }
        return done;
    }

    private static long hash(PreparedStatement page, MessageDigest sha256) throws SQLException {
        long read = 0;
        try (ResultSet rows = page.executeQuery()) {
            for (; rows.next(); read++) {
                byte[] digest = sha256.digest(rows.getString(1).getBytes(StandardCharsets.UTF_8));
                String hash = "sha256:" + HexFormat.of().formatHex(digest);
                if (!hash.equals(rows.getString(2))) {
                    throw new IllegalStateException("an entry has the hash " + hash);
                }
            }
        }
        return read;
    }

    private static long replay(Database database, List<ResourceKey> servers) {
        LedgerReading reading = new LedgerReading(database.dataSource());
        long done = 0;
        for (ResourceKey server : servers) {
            LedgerVerification verification =
                    new LedgerVerification(Optional.empty(), LedgerVerification.Kept.NOTHING);
            LedgerReading.Page page = reading.page(server, 0, PAGE).orElseThrow();
            page.entries().forEach(verification::take);
            while (page.entries().size() == PAGE) {
                long last = page.entries().getLast().sequence();
                page = reading.page(server, last, PAGE).orElseThrow();
                page.entries().forEach(verification::take);
            }
            verification.end(page.hash());
            verification.compare(Map.of());
            if (!verification.problems().isEmpty()) {
                throw new IllegalStateException(server + ": " + verification.problems());
            }
            done += verification.entries();
        }
        return done;
    }

    private static Map<String, Double> verify(
            OrlojdProcess orlojd,
            Path folder,
            Path checkpoint,
            List<ResourceKey> servers,
            int entries)
            throws Exception {
        long start = System.nanoTime();
        Orlojctl.Result result =
                Orlojctl.run(
                        orlojd,
                        folder,
                        "tools",
                        "verify",
                        "-A",
                        "--checkpoint",
                        checkpoint.toString());
        double seconds = (System.nanoTime() - start) / 1e9;
        long whole =
                result.output().lines().filter(line -> line.contains(", head sha256:")).count();
        if (whole != servers.size()) {
            throw new IllegalStateException(
                    "%d of %d ledgers are whole:%n%s"
                            .formatted(whole, servers.size(), result.output()));
        }
        return Map.of(
                SECONDS, seconds, PER_SECOND, entries / seconds, MEMORY, result.peakMemory() / 1e6);
    }

    private Table table(List<Row> rows, int entries) {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(
                Table.ratioGoal(rows, REPLAY, BARE, "", SECONDS, Goal.Bound.AT_MOST, MAX_RATIO));
        double million =
                Table.find(rows, VERIFY, "").orElseThrow().value(SECONDS).orElseThrow()
                        / entries
                        * 1e6;
        goals.add(
                new Goal(
                        "seconds of %s for a million entries".formatted(VERIFY),
                        million,
                        Goal.Bound.AT_MOST,
                        MAX_SECONDS_OF_MILLION));
        return new Table(
                name(),
                summary(),
                "",
                List.of(
                        new Column(SECONDS, "s", 2),
                        new Column(PER_SECOND, "entries/s", 0),
                        new Column(MEMORY, "peak MB", 0)),
                List.of(SECONDS),
                BARE,
                rows,
                goals,
                List.of(
                        "%,d entries, up to %,d of each server, in pages of %,d"
                                .formatted(entries, OF_SERVER, PAGE),
                        "the replay checks hashes, chain, summaries and the state at the end",
                        "orlojctl: the whole process, which gets the pages over HTTP from an"
                                + " orlojd on the same database",
                        "peak: of the heap of this JVM, with what is garbage; of orlojctl, all"
                                + " resident memory, with -Xmx256m"));
    }
}
