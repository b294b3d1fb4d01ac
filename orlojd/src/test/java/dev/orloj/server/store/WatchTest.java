package dev.orloj.server.store;

import static dev.orloj.server.store.StoreFixture.TOOLS;
import static dev.orloj.server.store.StoreFixture.key;
import static dev.orloj.server.store.StoreFixture.labelled;
import static dev.orloj.server.store.StoreFixture.take;
import static dev.orloj.server.store.StoreFixture.tool;
import static dev.orloj.server.store.StoreFixture.version;
import static dev.orloj.server.store.StoreFixture.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchClosedException;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.core.Event;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.store.table.DocumentList;
import dev.orloj.server.store.table.StoreSettings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

class WatchTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private StoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = new StoreFixture();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void watchFromAListMissesNothingAndRepeatsNothing() throws Exception {
        fixture.put(key("a"), "1");
        DocumentList list = fixture.store().list(TOOLS, ListOptions.everything());
        fixture.put(key("a"), "2");
        fixture.put(key("b"), "1");
        fixture.remove(key("a"));
        long from = list.version().value();

        try (Watch<ObjectNode> watch = fixture.watchAfter(list.version())) {
            assertThat(take(watch, 3))
                    .containsExactly(
                            "modified a=2@" + (from + 1),
                            "added b=1@" + (from + 2),
                            "deleted a=2@" + (from + 3));
            fixture.put(key("c"), "1");
            assertThat(take(watch, 1)).containsExactly("added c=1@" + (from + 4));
            assertThat(watch.next(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void watchWithoutARevisionReportsThePresentStateFirst() throws Exception {
        long start = fixture.head().value();
        SortedMap<ResourceKey, Mutation> many = new TreeMap<>();
        for (int i = 0; i < 700; i++) {
            ResourceKey key = key("n%03d".formatted(i));
            many.put(key, _ -> new Mutation.Outcome.Put(tool(key, "v")));
        }
        fixture.store().writeAll(TOOLS, many);

        try (Watch<ObjectNode> watch = fixture.watchAfter(ResourceVersion.UNSET)) {
            // Listed at the state in which the watch was opened.
            long opened = fixture.head().value();
            fixture.put(key("n699"), "changed");
            assertThat(take(watch, 700))
                    .startsWith("added n000=v@" + (start + 1))
                    .endsWith("added n699=v@" + opened);
            assertThat(watch.next(TIMEOUT).map(StoreFixture::words))
                    .contains("initial state ends " + opened);
            assertThat(take(watch, 1)).containsExactly("modified n699=changed@" + (opened + 1));
        }
    }

    @Test
    void selectorsTurnChangesIntoComingsAndGoings() throws Exception {
        WatchOptions options =
                new WatchOptions(
                        "default",
                        LabelSelector.parse("in=yes"),
                        FieldSelector.EVERYTHING,
                        fixture.head());
        try (Watch<ObjectNode> watch = fixture.store().watch(TOOLS, options)) {
            fixture.put(key("a"), "out");
            ObjectNode in = fixture.put(labelled(tool(key("a"), "in"), "in", "yes"));
            ObjectNode changed = fixture.put(labelled(tool(key("a"), "changed"), "in", "yes"));
            fixture.put(labelled(tool(new ResourceKey("other", "a"), "x"), "in", "yes"));
            ObjectNode left = fixture.put(labelled(tool(key("a"), "left"), "in", "no"));
            fixture.remove(key("a"));
            ObjectNode back = fixture.put(labelled(tool(key("a"), "back"), "in", "yes"));
            ObjectNode gone = fixture.remove(key("a"));

            assertThat(take(watch, 5))
                    .containsExactly(
                            "added a=in@" + version(in),
                            "modified a=changed@" + version(changed),
                            "deleted a=changed@" + version(left),
                            "added a=back@" + version(back),
                            "deleted a=back@" + version(gone));
            assertThat(watch.next(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void watchOfOneResourceIsAFieldSelector() throws Exception {
        WatchOptions options =
                new WatchOptions(
                        "default",
                        LabelSelector.EVERYTHING,
                        FieldSelector.ofName("a"),
                        fixture.head());
        try (Watch<ObjectNode> watch = fixture.store().watch(TOOLS, options)) {
            fixture.put(key("b"), "1");
            ObjectNode a = fixture.put(key("a"), "1");

            assertThat(take(watch, 1)).containsExactly("added a=1@" + version(a));
        }
    }

    @Test
    void transactionsThatCommitInAnotherOrderThanTheyBeganAreSeenInTheOrderOfCommits()
            throws Exception {
        try (Watch<ObjectNode> watch = fixture.watchAfter(fixture.head());
                Connection early = transaction();
                Connection late = transaction()) {
            lock(early, "a");
            lock(late, "b");
            long second = write(late, "b");
            late.commit();
            long third = write(early, "a");
            early.commit();

            assertThat(third).isEqualTo(second + 1);
            assertThat(take(watch, 2)).containsExactly("added b=@" + second, "added a=@" + third);
        }
    }

    @Test
    void revisionIsNotOvertakenWhileItsTransactionIsOpen() throws Exception {
        try (Watch<ObjectNode> watch = fixture.watchAfter(fixture.head());
                Connection open = transaction()) {
            long first = write(open, "slow");
            CompletableFuture<ObjectNode> waiting =
                    CompletableFuture.supplyAsync(
                            () -> fixture.put(key("fast"), "1"), Thread::startVirtualThread);
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(blockedWriters()).isOne());
            assertThat(watch.next(Duration.ZERO)).isEmpty();
            assertThat(waiting).isNotDone();

            open.commit();

            assertThat(take(watch, 2))
                    .containsExactly("added slow=@" + first, "added fast=1@" + (first + 1));
        }
    }

    @Test
    void revisionOfATransactionThatFailsIsUsedAgain() throws Exception {
        ResourceVersion from = fixture.head();
        try (Connection failing = transaction()) {
            write(failing, "failed");
            failing.rollback();
        }
        fixture.put(key("a"), "1");

        try (Watch<ObjectNode> watch = fixture.watchAfter(from)) {
            assertThat(take(watch, 1)).containsExactly("added a=1@" + (from.value() + 1));
        }
    }

    private Connection transaction() throws SQLException {
        Connection connection = fixture.database().direct().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void lock(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM resource WHERE name = ? FOR UPDATE")) {
            statement.setString(1, name);
            statement.execute();
        }
    }

    private static long write(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        """
                        SELECT (write_resources('main', '{tools.orloj.dev}', '{default}',
                            ARRAY[?], '{0}', ARRAY[gen_random_uuid()::text],
                            '{"{}"}', '{"{}"}', '{"{}"}',
                            ARRAY[json_build_object('metadata', json_build_object(
                                'name', ?::text, 'namespace', 'default'))::text], '{false}'))[1]
                        """)) {
            statement.setString(1, name);
            statement.setString(2, name);
            try (var result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        }
    }

    private long blockedWriters() {
        return fixture.jdbc()
                .sql(
                        """
                        SELECT count(*) FROM pg_stat_activity
                         WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """)
                .query(Long.class)
                .single();
    }

    @Test
    void revisionBeforeTheLogIsExpired() throws Exception {
        forgetful();
        ResourceVersion old = fixture.head();
        Watch<ObjectNode> idle = fixture.watchAfter(old);
        for (int i = 0; i < 30; i++) {
            fixture.put(key("a"), "v" + i);
        }
        // What follows the log in this process has read it to its end.
        ResourceVersion last = new ResourceVersion(fixture.head().value() - 1);
        try (Watch<ObjectNode> newest = fixture.watchAfter(last)) {
            take(newest, 1);
        }
        fixture.store().compact();

        assertExpired(() -> fixture.watchAfter(old));
        // One that was open and has not asked in all that time finds out when it does.
        assertExpired(() -> take(idle, 30));

        long compacted =
                fixture.jdbc()
                        .sql("SELECT compacted FROM revision_counter WHERE shard = 'main'")
                        .query(Long.class)
                        .single();
        assertThat(compacted).isGreaterThan(old.value()).isLessThan(fixture.head().value());
        try (Watch<ObjectNode> oldest = fixture.watchAfter(new ResourceVersion(compacted))) {
            assertThat(take(oldest, (int) (fixture.head().value() - compacted)))
                    .first()
                    .asString()
                    .endsWith("@" + (compacted + 1));
        }
    }

    /** Otherwise one who has missed it all would count as up to date. */
    @Test
    void newestChangeThatTheLogHasForgottenCountsAsLaterThanAllBefore() {
        forgetful();
        ResourceVersion before = fixture.head();
        fixture.put(key("a"), "v");
        for (int i = 0; i < 30; i++) {
            fixture.put(McpServer.DESCRIPTOR, tool(key("other"), "v" + i));
        }
        fixture.store().compact();
        assertThat(changesInLog()).isLessThan(30);

        assertThat(fixture.store().newestChange(TOOLS))
                .isGreaterThan(before)
                .isLessThan(fixture.head());
    }

    @Test
    void changesThatAreYoungOrAmongTheLastStayInTheLog() {
        fixture.close();
        fixture = new StoreFixture(TestSettings.retaining(Duration.ofHours(1), 12, 5));
        for (int i = 0; i < 30; i++) {
            fixture.put(key("a"), "v" + i);
        }
        fixture.store().compact();
        assertThat(changesInLog()).isEqualTo(30);

        fixture.jdbc().sql("UPDATE resource_change SET at = at - interval '2 hours'").update();
        fixture.store().compact();
        assertThat(changesInLog()).isBetween(12L, 16L);
    }

    private long changesInLog() {
        return fixture.jdbc()
                .sql("SELECT count(*) FROM resource_change")
                .query(Long.class)
                .single();
    }

    private void forgetful() {
        fixture.close();
        fixture = new StoreFixture(TestSettings.retaining(Duration.ZERO, 1, 5, 2));
    }

    @Test
    void revisionBeyondTheHeadIsExpired() {
        assertExpired(() -> fixture.watchAfter(new ResourceVersion(fixture.head().value() + 1)));
    }

    @Test
    void openWatchExpiresWhenTheDatabaseIsRestoredToAnEarlierState() throws Exception {
        for (int i = 0; i < 5; i++) {
            fixture.put(key("a"), "v" + i);
        }
        try (Watch<ObjectNode> watch = fixture.watchAfter(fixture.head())) {
            fixture.put(key("a"), "seen");
            take(watch, 1);

            fixture.jdbc()
                    .sql("UPDATE revision_counter SET rev = rev - 3 WHERE shard = 'main'")
                    .update();

            assertExpired(() -> take(watch, 1));
        }
    }

    private static void assertExpired(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOf(ApiException.class)
                .extracting(e -> ((ApiException) e).reason())
                .isEqualTo(ErrorReason.EXPIRED);
    }

    @Test
    void lostAnnouncementIsOnlyDelay() throws Exception {
        // Only the counter row and the log are what a watch depends on.
        fixture.jdbc()
                .sql(
                        """
                        DO $$ BEGIN
                          EXECUTE replace(pg_get_functiondef('write_resources'::regproc),
                                          'pg_notify(''orloj_change'',', 'concat(');
                        END $$
                        """)
                .update();
        assertThat(
                        fixture.jdbc()
                                .sql("SELECT pg_get_functiondef('write_resources'::regproc)")
                                .query(String.class)
                                .single())
                .doesNotContain("pg_notify");
        try (PostgresStore replica = fixture.open(StoreSettings.DEFAULTS)) {
            replica.start();
            try (Watch<ObjectNode> watch =
                    replica.watch(TOOLS, WatchOptions.everythingAfter(fixture.head()))) {
                fixture.put(key("a"), "1");
                assertThat(take(watch, 1)).singleElement().asString().startsWith("added a=1@");
            }
        }
    }

    @Test
    void lostListeningConnectionIsOpenedAgain() throws Exception {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(listeners()).hasSize(1));
        int first = listeners().getFirst();
        fixture.jdbc().sql("SELECT pg_terminate_backend(?)").param(first).query().listOfRows();

        try (Watch<ObjectNode> watch = fixture.watchAfter(fixture.head())) {
            fixture.put(key("a"), "1");
            assertThat(take(watch, 1)).singleElement().asString().startsWith("added a=1@");
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(listeners()).hasSize(1).doesNotContain(first));
        }
    }

    private List<Integer> listeners() {
        return fixture.jdbc()
                .sql(
                        """
                        SELECT pid FROM pg_stat_activity
                         WHERE datname = current_database() AND query LIKE 'LISTEN%'
                        """)
                .query(Integer.class)
                .list();
    }

    @Test
    void slowWatchGetsEverythingLate() throws Exception {
        fixture.close();
        fixture = new StoreFixture(TestSettings.windowOf(4));
        long from = fixture.head().value();
        try (Watch<ObjectNode> slow = fixture.watchAfter(fixture.head());
                Watch<ObjectNode> quick = fixture.watchAfter(fixture.head())) {
            List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 600; i++) {
                fixture.put(key("a"), "v" + i);
                expected.add((i == 1 ? "added" : "modified") + " a=v%d@%d".formatted(i, from + i));
                if (i == 300) {
                    assertThat(take(slow, 1)).containsExactly(expected.getFirst());
                }
            }

            assertThat(take(quick, 600)).isEqualTo(expected);
            assertThat(take(slow, 599)).isEqualTo(expected.subList(1, 600));
        }
    }

    @Test
    void silentWatchReportsItsRevision() throws Exception {
        fixture.close();
        fixture =
                new StoreFixture(
                        TestSettings.timed(
                                Duration.ofSeconds(1),
                                Duration.ofMillis(50),
                                Duration.ofSeconds(1)));
        ResourceVersion from = fixture.head();
        WatchOptions elsewhere =
                new WatchOptions(
                        "elsewhere", LabelSelector.EVERYTHING, FieldSelector.EVERYTHING, from);
        try (Watch<ObjectNode> watch = fixture.store().watch(TOOLS, elsewhere)) {
            fixture.put(key("a"), "1");
            ResourceVersion head = fixture.head();

            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(watch.next(TIMEOUT))
                                            .contains(new WatchEvent.Bookmark<>(head, false)));
            // Who resumes from a bookmark gets what comes after it.
            ObjectNode next = fixture.put(key("b"), "1");
            try (Watch<ObjectNode> resumed = fixture.watchAfter(head)) {
                assertThat(take(resumed, 1)).containsExactly("added b=1@" + version(next));
            }
        }
    }

    @Test
    void kindsAreWatchedApart() throws Exception {
        try (Watch<ObjectNode> tools = fixture.watchAfter(fixture.head());
                Watch<ObjectNode> events =
                        fixture.store()
                                .watch(
                                        Event.DESCRIPTOR,
                                        WatchOptions.everythingAfter(
                                                fixture.store().head(Event.DESCRIPTOR.shard())))) {
            ObjectNode event = tool(key("e"), "x");
            ObjectNode written = fixture.put(Event.DESCRIPTOR, event);
            ObjectNode a = fixture.put(key("a"), "1");

            assertThat(take(tools, 1)).containsExactly("added a=1@" + version(a));
            assertThat(take(events, 1)).containsExactly("added e=x@" + version(written));
        }
    }

    @Test
    void replicaSeesWhatAnotherWrites() throws Exception {
        try (PostgresStore other = fixture.open(StoreSettings.DEFAULTS)) {
            other.start();
            try (Watch<ObjectNode> watch =
                    other.watch(TOOLS, WatchOptions.everythingAfter(fixture.head()))) {
                ObjectNode a = fixture.put(key("a"), "1");
                assertThat(take(watch, 1)).containsExactly("added a=1@" + version(a));
            }
        }
    }

    @Test
    void closingEndsAWaitingReader() {
        Watch<ObjectNode> watch = fixture.watchAfter(fixture.head());
        CompletableFuture<String> reader =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return watch.next(TIMEOUT.multipliedBy(10))
                                        .map(event -> words(event))
                                        .orElse("nothing");
                            } catch (InterruptedException e) {
                                return "interrupted";
                            }
                        },
                        Thread::startVirtualThread);

        fixture.store().close();

        assertThatThrownBy(reader::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(WatchClosedException.class);
        assertThatThrownBy(() -> fixture.watchAfter(fixture.head()).next(Duration.ZERO))
                .isInstanceOf(WatchClosedException.class);
    }
}
