package dev.orloj.server.store.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.core.Secret;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.Mutation;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.table.DataKey;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

class StoredKeysTest {

    private static final DataKey OUTER = DataKey.random();
    private static final DataKey OTHER = DataKey.random();

    private TestPostgres.Database database;

    @TempDir private Path folder;

    @BeforeEach
    void open() {
        database = TestPostgres.freshDatabase();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Writes a Secret as orlojd did when the key of the file encrypted the values itself. */
    private void putAsBefore(DataKey key) {
        try (PostgresStore store =
                new PostgresStore(
                        database.pool(),
                        database.direct(),
                        SecretCipher.fromBase64(key.base64()),
                        StoreSettings.DEFAULTS,
                        InstantSource.system())) {
            store.start();
            KeyRig.put(store, "old", "b2xk");
        }
    }

    @Test
    void keyOfTheFileEncryptsNoValue() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("a", "YQ==");

            assertThat(rig.named()).containsExactly(rig.current());
            assertThat(rig.current()).isNotEqualTo(OUTER.id());
        }
    }

    @Test
    void replicasHaveTheSameKeys() throws Exception {
        try (KeyRig one = KeyRig.open(database, OUTER);
                KeyRig two = KeyRig.open(database, OUTER)) {
            one.put("a", "YQ==");

            assertThat(two.token("a")).isEqualTo("YQ==");
            assertThat(two.cipher.derive("x", "HmacSHA256"))
                    .isEqualTo(one.cipher.derive("x", "HmacSHA256"));
        }
    }

    @Test
    void databaseOfBeforeGoesOnWithItsValuesAndDerivedKeys() throws Exception {
        putAsBefore(OUTER);

        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            assertThat(rig.token("old")).isEqualTo("b2xk");
            assertThat(rig.cipher.derive("x", "HmacSHA256"))
                    .isEqualTo(SecretCipher.fromBase64(OUTER.base64()).derive("x", "HmacSHA256"));
            assertThat(rig.current()).isEqualTo(OUTER.id());
        }
    }

    /** An older orlojd beside this one, and a downgrade, until the first rotation. */
    @Test
    void orlojdOfBeforeReadsWhatIsWrittenAfterTheUpgrade() throws Exception {
        putAsBefore(OUTER);
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("new", "bmV3");
        }
        try (PostgresStore before =
                new PostgresStore(
                        database.pool(),
                        database.direct(),
                        SecretCipher.fromBase64(OUTER.base64()),
                        StoreSettings.DEFAULTS,
                        InstantSource.system())) {
            assertThat(
                            before.find(Secret.DESCRIPTOR, KeyRig.key("new"))
                                    .orElseThrow()
                                    .at("/spec/data/token")
                                    .asString(""))
                    .isEqualTo("bmV3");
        }
    }

    @Test
    void otherKeyIsNamedAndTheRestIsServed() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("a", "YQ==");
        }
        try (KeyRig rig = KeyRig.open(database, OTHER)) {
            assertThat(rig.keys.problem()).get().asString().contains("\"" + OUTER.id() + "\"");
            assertThat(rig.read("a").at("/spec/data").isEmpty()).isTrue();
            assertThat(rig.read("a").at("/metadata/annotations").has(Secret.MISSING_KEY)).isTrue();
            assertThat(rig.store.list(Secret.DESCRIPTOR, ListOptions.everything()).items())
                    .hasSize(1);
            assertThatThrownBy(() -> rig.put("b", "Yg=="))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining(OUTER.id())
                    .hasMessageContaining("put that key back");
            assertThatThrownBy(rig.cipher::requireDerivation).isInstanceOf(ApiException.class);
        }
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            assertThat(rig.keys.problem()).isEmpty();
            assertThat(rig.token("a")).isEqualTo("YQ==");
        }
    }

    @Test
    void keyOfADatabaseOfBeforeIsNamedToo() throws Exception {
        putAsBefore(OUTER);

        try (KeyRig rig = KeyRig.open(database, OTHER)) {
            assertThat(rig.keys.problem()).get().asString().contains("\"" + OUTER.id() + "\"");
            assertThat(rig.states()).isEmpty();
        }
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            assertThat(rig.token("old")).isEqualTo("b2xk");
        }
    }

    /** A write would lose values that are there again as soon as the key is. */
    @Test
    void secretWithoutItsKeyCanBeDeletedAndNotReplaced() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("a", "YQ==");
        }
        try (KeyRig rig = KeyRig.open(database, OTHER)) {
            assertThatThrownBy(
                            () ->
                                    rig.store.write(
                                            Secret.DESCRIPTOR,
                                            KeyRig.key("a"),
                                            current -> {
                                                current.orElseThrow()
                                                        .withObject("/metadata/labels")
                                                        .put("x", "y");
                                                return new Mutation.Outcome.Put(
                                                        current.orElseThrow());
                                            }))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("which orlojd does not have");
            rig.delete("a");
            assertThat(rig.store.find(Secret.DESCRIPTOR, KeyRig.key("a"))).isEmpty();
        }
    }

    @Test
    void lostFileIsNotReplaced() throws Exception {
        Path file = folder.resolve("secret.key");
        KeySource source = KeySource.of("", "", "", folder);
        try (KeyRig rig = KeyRig.open(database, source)) {
            rig.put("a", "YQ==");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String key = Files.readString(file);
        Files.delete(file);

        try (KeyRig rig = KeyRig.open(database, source)) {
            assertThat(rig.keys.problem())
                    .get()
                    .asString()
                    .contains(file.toString(), DataKey.fromBase64(key).id());
            assertThat(file).doesNotExist();
            Files.writeString(file, key);
            assertThat(rig.keys.wrapping()).hasSize(1);
            rig.keys.load();
            assertThat(rig.keys.problem()).get().asString().contains("restart orlojd");
            assertThat(rig.token("a")).isEqualTo("YQ==");
        }
    }

    @Test
    void credentialOfSystemdComesBeforeTheDataDirectory() throws Exception {
        Path credentials = Files.createDirectory(folder.resolve("credentials"));

        assertThat(KeySource.of("", "", credentials.toString(), folder).files())
                .containsExactly(folder.resolve("secret.key"));
        Files.writeString(credentials.resolve("secret.key"), OUTER.base64() + "\n");
        KeySource source = KeySource.of("", "", credentials.toString(), folder);
        assertThat(source.load()).extracting(KeyEncryptionKey::id).containsExactly(OUTER.id());
        assertThat(KeySource.of("/k", "", credentials.toString(), folder).files())
                .containsExactly(Path.of("/k"));
        assertThatThrownBy(() -> KeySource.of("/k", OUTER.base64(), "", folder))
                .hasMessageContaining("--secret-key-file")
                .hasMessageNotContaining(OUTER.base64());
    }

    @Test
    void lostKeyIsAbandonedOnlyByItsId() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("a", "YQ==");
        }
        try (KeyRig rig = KeyRig.open(database, OTHER)) {
            assertThatThrownBy(() -> rig.rotation.rotate(Set.of("0123456789abcdef")))
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining(OUTER.id());

            rig.rotation.rotate(Set.of(OUTER.id()));
            rig.put("b", "Yg==");
            assertThat(rig.token("b")).isEqualTo("Yg==");
            assertThat(rig.token("a")).isEmpty();
        }
        try (KeyRig rig = KeyRig.open(database, OTHER, OUTER)) {
            assertThat(rig.token("a")).isEqualTo("YQ==");
            assertThat(rig.token("b")).isEqualTo("Yg==");
            assertThat(rig.keys.isComplete()).isTrue();
        }
    }

    /** As a restore does at another replica: this one derives nothing meanwhile. */
    @Test
    void derivationKeyThatAnotherReplicaReplacedIsAProblemOfThisOne() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            assertThat(rig.keys.presentProblem()).isEmpty();
            KeyTable table = new KeyTable(database.jdbc());

            table.retire(KeyTable.Purpose.DERIVATION);
            table.add(
                    KeyTable.Purpose.DERIVATION, DataKey.random(), rig.keys.wrapping().getFirst());

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThat(rig.keys.presentProblem())
                                            .get()
                                            .asString()
                                            .contains("a backup was restored", "restart orlojd"));
        }
    }
}
