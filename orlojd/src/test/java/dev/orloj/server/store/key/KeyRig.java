package dev.orloj.server.store.key;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.Kinds;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.ToolCallTable;
import dev.orloj.server.store.table.DataKey;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;
import dev.orloj.server.store.token.SigningKeyTable;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

/** A replica, as far as keys go. Nothing runs in the background but the store. */
final class KeyRig implements AutoCloseable {

    final TestPostgres.Database database;
    final StoredKeys keys;
    final SecretCipher cipher;
    final PostgresStore store;
    final ToolCallTable calls;
    final SigningKeyTable signingKeys;
    final KeyRotation rotation;

    private KeyRig(TestPostgres.Database database, StoredKeys keys, SecretCipher cipher) {
        this.database = database;
        this.keys = keys;
        this.cipher = cipher;
        this.store =
                new PostgresStore(
                        database.pool(),
                        database.direct(),
                        cipher,
                        StoreSettings.DEFAULTS,
                        InstantSource.system());
        this.calls = new ToolCallTable(database.pool(), cipher);
        this.signingKeys = new SigningKeyTable(database.pool(), cipher);
        this.rotation = new KeyRotation(database.pool(), keys, rows(database.pool(), cipher));
        store.start();
    }

    /** A replica of today, with the keys of a setting. */
    static KeyRig open(TestPostgres.Database database, DataKey... wrapping) throws IOException {
        StringBuilder text = new StringBuilder();
        for (DataKey key : wrapping) {
            text.append(key.base64()).append('\n');
        }
        return open(database, KeySource.of("", text.toString(), "", Path.of("")));
    }

    static KeyRig open(TestPostgres.Database database, KeySource source) throws IOException {
        StoredKeys keys = StoredKeys.open(database.pool(), source);
        return new KeyRig(database, keys, new SecretCipher(keys));
    }

    static List<SealedRows> rows(DataSource pool, SecretCipher cipher) {
        return List.of(
                new SealedDocuments(pool, cipher, Kinds.SCHEME),
                new SealedColumn(pool, cipher, "tool_call", "answer", ToolCallTable::place),
                new SealedColumn(pool, cipher, "signing_key", "sealed", SigningKeyTable::place));
    }

    static ResourceKey key(String name) {
        return new ResourceKey("default", name);
    }

    static ObjectNode secret(String name, String value) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", "orloj.dev/v1").put("kind", "Secret");
        ObjectNode metadata = document.putObject("metadata");
        metadata.put("name", name).put("namespace", "default");
        metadata.put("uid", UUID.nameUUIDFromBytes(name.getBytes()).toString());
        metadata.putObject("annotations").put("note", "about " + value);
        document.putObject("spec").put("type", "Opaque").putObject("data").put("token", value);
        return document;
    }

    void put(String name, String value) {
        put(store, name, value);
    }

    static void put(PostgresStore store, String name, String value) {
        store.write(
                Secret.DESCRIPTOR, key(name), _ -> new Mutation.Outcome.Put(secret(name, value)));
    }

    void delete(String name) {
        store.write(
                Secret.DESCRIPTOR,
                key(name),
                current -> new Mutation.Outcome.Remove(current.orElseThrow()));
    }

    ObjectNode read(String name) {
        return store.find(Secret.DESCRIPTOR, key(name)).orElseThrow();
    }

    String token(String name) {
        return read(name).at("/spec/data/token").asString("");
    }

    String current() {
        return keys.current().id();
    }

    /** Has retired keys be old enough to be removed. */
    void age() {
        database.jdbc()
                .sql("UPDATE encryption_key SET retired_at = retired_at - interval '1 minute'")
                .update();
    }

    List<String> states() {
        return database.jdbc()
                .sql(
                        "SELECT state FROM encryption_key WHERE purpose = 'data' ORDER BY"
                                + " created_at")
                .query(String.class)
                .list();
    }

    /** The ids of keys that any text of any table names. */
    List<String> named() {
        List<String> tables =
                database.jdbc()
                        .sql(
                                "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
                                        + " AND tablename <> 'encryption_key'")
                        .query(String.class)
                        .list();
        return tables.stream()
                .flatMap(
                        table ->
                                database
                                        .jdbc()
                                        .sql(
                                                """
                                                SELECT DISTINCT found[1] FROM %s AS t,
                                                regexp_matches(t::text, 'orloj:v1:([0-9a-f]+):', 'g') AS found
                                                """
                                                        .formatted(table))
                                        .query(String.class)
                                        .list()
                                        .stream())
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        rotation.close();
        store.close();
    }
}
