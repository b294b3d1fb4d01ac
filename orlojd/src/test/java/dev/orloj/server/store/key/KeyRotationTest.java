package dev.orloj.server.store.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.StoredCall;
import dev.orloj.server.store.ToolCallTable.Beginning;
import dev.orloj.server.store.table.DataKey;
import dev.orloj.server.store.table.ResourceTable;
import dev.orloj.server.store.token.SigningKeyTable.StoredKey;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import javax.crypto.SecretKey;

class KeyRotationTest {

    private static final DataKey OUTER = DataKey.random();
    private static final DataKey NEXT = DataKey.random();
    private static final ResourceKey TOOL = KeyRig.key("tool");

    private TestPostgres.Database database;
    private KeyRig rig;

    @BeforeEach
    void open() throws Exception {
        database = TestPostgres.freshDatabase();
        rig = KeyRig.open(database, OUTER);
    }

    @AfterEach
    void close() {
        rig.close();
        database.close();
    }

    private void fill() {
        rig.put("kept", "a2VwdA==");
        rig.put("changed", "b25l");
        rig.put("changed", "dHdv");
        rig.put("gone", "Z29uZQ==");
        rig.delete("gone");
        rig.signingKeys.add(new StoredKey("signing", "both halves", Instant.EPOCH));
        rig.calls.begin(new Beginning("call", TOOL, "ann", Optional.empty(), "digest", "replica"));
        rig.calls.end(
                "call", StoredCall.State.Completed, Json.MAPPER.readTree("{\"a\": 1.0}"), true);
    }

    private void assertFilled(KeyRig reader) {
        assertThat(reader.token("kept")).isEqualTo("a2VwdA==");
        assertThat(reader.token("changed")).isEqualTo("dHdv");
        assertThat(reader.read("kept").at("/metadata/annotations/note").asString())
                .isEqualTo("about a2VwdA==");
        assertThat(reader.signingKeys.all()).extracting(StoredKey::encoded).contains("both halves");
        assertThat(reader.calls.find(TOOL, "call").orElseThrow().answer().orElseThrow().toString())
                .isEqualTo("{\"a\":1.0}");
    }

    private void encryptAgain(String retired) {
        rig.age();
        rig.rotation.encryptAgain(List.of(retired));
        rig.rotation.encryptAgain(List.of(retired));
    }

    @Test
    void everyValueOfEveryTableGetsTheNewKeyAndTheOldOneIsRemoved() throws Exception {
        fill();
        String before = rig.current();
        long version = rig.store.head(KindDescriptor.Shard.MAIN).value();

        String fresh = rig.rotation.rotate(Set.of());
        encryptAgain(before);

        assertThat(rig.current()).isEqualTo(fresh).isNotEqualTo(before);
        assertThat(rig.named()).containsExactly(fresh);
        assertThat(rig.states()).containsExactly("Removed", "Current");
        assertThat(
                        database.jdbc()
                                .sql("SELECT wrapped FROM encryption_key WHERE state = 'Removed'")
                                .query(String.class)
                                .single())
                .isEmpty();
        assertThat(rig.store.head(KindDescriptor.Shard.MAIN).value()).isEqualTo(version);
        assertFilled(rig);
        try (KeyRig other = KeyRig.open(database, OUTER)) {
            assertFilled(other);
        }
    }

    @Test
    void rotationGoesOnInTheBackgroundAfterAnEndBetweenAnyTwoWrites() throws Exception {
        fill();
        String before = rig.current();
        String fresh = rig.rotation.rotate(Set.of());
        rig.age();
        for (int writes = 0; rig.named().contains(before); writes++) {
            int most = 1;
            int[] done = {0};
            for (SealedRows rows : KeyRig.rows(database.pool(), rig.cipher)) {
                rows.reseal(List.of(before), () -> done[0]++ >= most);
            }
            assertFilled(rig);
            assertThat(writes).isLessThan(20);
        }
        assertThat(rig.states()).containsExactly("Retired", "Current");

        try (KeyRig other = KeyRig.open(database, OUTER)) {
            other.rotation.start();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> rig.states().equals(List.of("Removed", "Current")));
            assertThat(other.current()).isEqualTo(fresh);
            assertFilled(other);
        }
    }

    @Test
    void otherReplicaUsesTheNewKeyAndStillReadsTheOldOne() throws Exception {
        try (KeyRig other = KeyRig.open(database, OUTER)) {
            other.put("a", "YQ==");
            String before = rig.current();
            String fresh = rig.rotation.rotate(Set.of());
            rig.put("b", "Yg==");

            await().until(() -> other.current().equals(fresh));
            assertThat(other.token("a")).isEqualTo("YQ==");
            assertThat(other.token("b")).isEqualTo("Yg==");
            encryptAgain(before);
            assertThat(other.token("a")).isEqualTo("YQ==");
        }
    }

    @Test
    void derivedKeysStay() {
        SecretKey before = rig.cipher.derive("sessions", "HmacSHA256");

        rig.rotation.rotate(Set.of());

        assertThat(rig.cipher.derive("sessions", "HmacSHA256")).isEqualTo(before);
    }

    /** A write that began long ago must not store a value whose key is gone. */
    @Test
    void lateWriteWithARemovedKeyIsRefused() {
        fill();
        String before = rig.current();
        String document =
                database.jdbc()
                        .sql("SELECT document::text FROM resource WHERE name = 'kept'")
                        .query(String.class)
                        .single();
        rig.rotation.rotate(Set.of());
        encryptAgain(before);

        assertThatThrownBy(
                        () ->
                                database.jdbc()
                                        .sql(
                                                "UPDATE resource SET document = ?::json WHERE name"
                                                        + " = 'kept'")
                                        .param(document)
                                        .update())
                .isInstanceOf(ConcurrencyFailureException.class)
                .hasMessageContaining("encryption key " + before + " is removed");
        assertFilled(rig);
    }

    @Test
    void keyIsNotRemovedWhileAWriteWithItIsUnderWay() throws Exception {
        fill();
        String before = rig.current();
        String sealed = rig.cipher.seal("late", "the signing key \"late\"");
        try (Connection connection = database.direct().getConnection();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "INSERT INTO signing_key (id, sealed) VALUES ('late', ?)")) {
            connection.setAutoCommit(false);
            insert.setString(1, sealed);
            insert.executeUpdate();
            Thread rotation = Thread.ofVirtual().start(() -> rig.rotation.rotate(Set.of()));
            await().until(
                            () ->
                                    database.jdbc()
                                                    .sql(
                                                            "SELECT count(*) FROM pg_stat_activity"
                                                                + " WHERE wait_event_type = 'Lock'"
                                                                + " AND datname ="
                                                                + " current_database()")
                                                    .query(Long.class)
                                                    .single()
                                            > 0);
            connection.commit();
            assertThat(rotation.join(Duration.ofSeconds(30))).isTrue();
        }
        encryptAgain(before);

        assertThat(rig.signingKeys.all()).extracting(StoredKey::encoded).contains("late");
        assertThat(rig.named()).containsExactly(rig.current());
    }

    @Test
    void keysAreWrappedByANewKeyWithoutARestart() throws Exception {
        fill();
        String before = rig.current();
        try (KeyRig both = KeyRig.open(database, NEXT, OUTER)) {
            both.rotation.rotate(Set.of());
            both.age();
            both.rotation.encryptAgain(List.of(before));
        }
        try (KeyRig next = KeyRig.open(database, NEXT)) {
            assertThat(next.keys.problem()).isEmpty();
            assertFilled(next);
            assertThat(next.cipher.derive("x", "HmacSHA256"))
                    .isEqualTo(rig.cipher.derive("x", "HmacSHA256"));
        }
    }

    @Test
    void listShowsKeysAndHowManyValuesHaveThem() {
        fill();
        String before = rig.current();
        String fresh = rig.rotation.rotate(Set.of());

        assertThat(rig.rotation.list())
                .extracting(EncryptionKey::id, EncryptionKey::state, EncryptionKey::wrappedBy)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(before, "Retired", OUTER.id()),
                        org.assertj.core.groups.Tuple.tuple(fresh, "Current", OUTER.id()));
        assertThat(rig.rotation.list().getFirst().values()).isPositive();
        encryptAgain(before);
        assertThat(rig.rotation.list().getFirst().values()).isZero();
        assertThat(rig.rotation.list().getLast().values()).isPositive();
    }

    /** The triggers of the schema name the kinds. */
    @Test
    void everyKindWithEncryptedFieldsIsProtectedByTheTriggers() {
        Set<String> kinds = new TreeSet<>();
        for (KindDescriptor<?> kind : Kinds.SCHEME.descriptors()) {
            if (!kind.stored().sensitiveFields().isEmpty()) {
                kinds.add(ResourceTable.column(kind));
            }
        }
        List<String> conditions =
                new ArrayList<>(
                        database.jdbc()
                                .sql(
                                        "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE"
                                                + " tgname = 'encryption_keys' AND tgrelid IN"
                                                + " ('resource'::regclass,"
                                                + " 'resource_change'::regclass)")
                                .query(String.class)
                                .list());

        assertThat(conditions).hasSize(2);
        for (String kind : kinds) {
            assertThat(conditions).allMatch(condition -> condition.contains("'" + kind + "'"));
        }
    }
}
