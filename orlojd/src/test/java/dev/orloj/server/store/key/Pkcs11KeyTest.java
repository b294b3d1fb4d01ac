package dev.orloj.server.store.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.table.DataKey;
import dev.orloj.server.testing.NeedsSoftHsm;
import dev.orloj.server.testing.SoftHsm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Keys of databases under a key in a hardware security module. */
@NeedsSoftHsm
class Pkcs11KeyTest {

    private static final byte[] KEY =
            "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    private static final DataKey OUTER = DataKey.random();

    private static SoftHsm hsm;

    private TestPostgres.Database database;

    @TempDir private Path folder;

    @BeforeAll
    static void makeTokens() {
        hsm =
                new SoftHsm(Path.of("target", "softhsm"))
                        .token("orloj", "kek", "next")
                        .token("spare", "kek")
                        .token("locked", "kek")
                        .token("session", "kek")
                        .inThisProcess();
    }

    @BeforeEach
    void open() {
        database = TestPostgres.freshDatabase();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static Pkcs11Key key(String uri) {
        return new Pkcs11Key(Pkcs11Uri.parse(uri), module(uri), Duration.ZERO);
    }

    private static Pkcs11Module module(String uri) {
        return new Pkcs11Module(Pkcs11Uri.parse(uri).module(), Duration.ofSeconds(20));
    }

    private static Pkcs11Key key(String token, String object) {
        return key(hsm.uri(token, object));
    }

    /** A source with these keys, and then those of a setting. */
    private static KeySource source(DataKey other, Pkcs11Key... keys) {
        return new HardwareKeys(List.of(keys), new KeyText(other.base64()));
    }

    private KeySource source(Pkcs11Key... keys) {
        return new HardwareKeys(
                List.of(keys), KeyFile.inDataDirectory(folder.resolve(KeyFile.NAME)));
    }

    private List<String> wrappedBy() {
        return database.jdbc()
                .sql("SELECT DISTINCT wrapped_by FROM encryption_key WHERE state <> 'Removed'")
                .query(String.class)
                .list();
    }

    @Test
    void keyIsWrappedForOneUseAndByOneKey() {
        Pkcs11Key kek = key("orloj", "kek");
        String wrapped = kek.wrap(KEY, "use");

        assertThat(kek.unwrap(wrapped, "use")).hasValue(KEY);
        assertThat(kek.wrap(KEY, "use")).isNotEqualTo(wrapped);
        assertThat(key("orloj", "kek").unwrap(wrapped, "use")).hasValue(KEY);
        assertThat(kek.unwrap(wrapped, "other use")).isEmpty();
        assertThat(kek.unwrap("no Base64!", "use")).isEmpty();
        assertThat(kek.unwrap("", "use")).isEmpty();
        for (Pkcs11Key other : List.of(key("orloj", "next"), key("spare", "kek"))) {
            assertThat(other.unwrap(wrapped, "use")).isEmpty();
            assertThat(other.problem().orElseThrow()).contains("is another one");
        }
    }

    @Test
    void newDatabaseHasNoKeyOutsideOfTheModule() throws Exception {
        try (KeyRig rig = KeyRig.open(database, source(key("orloj", "kek")))) {
            rig.put("a", "YQ==");
        }

        assertThat(folder).isEmptyDirectory();
        assertThat(wrappedBy()).containsExactly("pkcs11:token=orloj;object=kek");
        try (KeyRig rig = KeyRig.open(database, source(key("orloj", "kek")))) {
            assertThat(rig.token("a")).isEqualTo("YQ==");
            assertThat(rig.keys.problem()).isEmpty();
        }
    }

    @Test
    void rotationMovesADatabaseFromAFileToTheModuleAndToAnotherKeyOfIt() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("a", "YQ==");
        }
        try (KeyRig rig = KeyRig.open(database, source(OUTER, key("orloj", "kek")))) {
            assertThat(rig.token("a")).isEqualTo("YQ==");
            rig.rotation.rotate(Set.of());
        }
        assertThat(wrappedBy()).containsExactly("pkcs11:token=orloj;object=kek");
        try (KeyRig rig = KeyRig.open(database, source(key("spare", "kek"), key("orloj", "kek")))) {
            assertThat(rig.token("a")).isEqualTo("YQ==");
            rig.rotation.rotate(Set.of());
        }
        assertThat(wrappedBy()).containsExactly("pkcs11:token=spare;object=kek");
        try (KeyRig rig = KeyRig.open(database, source(key("spare", "kek")))) {
            assertThat(rig.token("a")).isEqualTo("YQ==");
        }
    }

    @Test
    void moduleThatIsAwayAtTheStartIsNamedAndUsedWhenItIsBack() throws Exception {
        try (KeyRig rig = KeyRig.open(database, source(key("orloj", "kek")))) {
            rig.put("a", "YQ==");
        }
        Path pin = folder.resolve("pin");
        String uri = hsm.uri("orloj", "kek").replace(hsm.pin().toString(), pin.toString());

        try (KeyRig rig = KeyRig.open(database, source(key(uri)))) {
            assertThat(rig.keys.problem().orElseThrow())
                    .contains("pkcs11:token=orloj;object=kek", "file with the PIN", pin.toString());
            assertThat(rig.keys.wanted()).containsExactly("pkcs11:token=orloj;object=kek");
            assertThat(rig.read("a").at("/metadata/annotations").toString())
                    .contains("missing-encryption-key");
            assertThatThrownBy(() -> rig.rotation.rotate(Set.of()))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            e -> assertThat(e.reason()).isEqualTo(ErrorReason.CONFLICT));

            Files.writeString(pin, SoftHsm.PIN);
            rig.keys.load();

            assertThat(rig.token("a")).isEqualTo("YQ==");
        }
    }

    @Test
    void moduleThatGoesAwayLaterKeepsNothingFromServing() throws Exception {
        Path pin = Files.writeString(folder.resolve("pin"), SoftHsm.PIN);
        String uri = hsm.uri("orloj", "kek").replace(hsm.pin().toString(), pin.toString());
        Pkcs11Key kek = key(uri);
        try (KeyRig rig = KeyRig.open(database, source(kek))) {
            rig.put("a", "YQ==");
            Files.delete(pin);
            kek.forget();

            rig.put("b", "Yg==");

            assertThat(rig.token("a")).isEqualTo("YQ==");
            assertThatThrownBy(() -> rig.rotation.rotate(Set.of()))
                    .isInstanceOfSatisfying(
                            ApiException.class,
                            e -> assertThat(e.reason()).isEqualTo(ErrorReason.SERVICE_UNAVAILABLE))
                    .hasMessageContaining("file with the PIN");
            assertThat(rig.states()).containsExactly("Current");
        }
    }

    /**
     * Three wrong ones lock a token of most makers. No other test logs in to this token: a login is
     * one of the whole process.
     */
    @Test
    void wrongPinIsTriedOnceUntilItsFileChanges() throws Exception {
        Path pin = Files.writeString(folder.resolve("pin"), "8765");
        String uri = hsm.uri("locked", "kek").replace(hsm.pin().toString(), pin.toString());
        Pkcs11Module module = module(uri);
        Pkcs11Key kek = new Pkcs11Key(Pkcs11Uri.parse(uri), module, Duration.ZERO);
        Pkcs11Key other =
                new Pkcs11Key(
                        Pkcs11Uri.parse(uri.replace("=kek", "=other")), module, Duration.ZERO);
        String wrapped = Base64.getEncoder().encodeToString(new byte[60]);

        assertThat(kek.unwrap(wrapped, "use")).isEmpty();
        assertThat(kek.problem().orElseThrow()).contains("refuses the PIN").doesNotContain("8765");
        for (Pkcs11Key each : List.of(kek, other)) {
            assertThat(each.unwrap(wrapped, "use")).isEmpty();
            assertThat(each.problem().orElseThrow())
                    .contains("is not tried again", pin.toString())
                    .doesNotContain("8765");
        }

        Files.writeString(pin, SoftHsm.PIN + "\n");

        assertThat(kek.unwrap(kek.wrap(KEY, "use"), "use")).hasValue(KEY);
        assertThat(kek.problem()).isEmpty();
    }

    @Test
    void moduleThatDoesNotAnswerIsNotWaitedForTwice() throws Exception {
        Pkcs11Module module = new Pkcs11Module(SoftHsm.module(), Duration.ofMillis(50));
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();

        assertThatThrownBy(
                        () ->
                                module.call(
                                        () -> {
                                            answer.await();
                                            return calls.incrementAndGet();
                                        }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has not answered");
        assertThatThrownBy(() -> module.call(calls::incrementAndGet))
                .hasMessageContaining("has not answered");
        assertThat(calls).hasValue(0);

        answer.countDown();
        // Until the first call has come back, each further one is refused.
        await().ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> assertThat(module.call(() -> "back")).isEqualTo("back"));
        assertThat(calls).hasValue(1);
    }

    /** A restart of the module, or its device pulled out and put back, ends all sessions. */
    @Test
    void sessionThatIsLostIsOpenedAgainOnce() throws Exception {
        Pkcs11Key kek = key("session", "kek");
        String wrapped = kek.wrap(KEY, "use");

        hsm.endSessions(Pkcs11Slots.find(SoftHsm.module(), "session").getAsLong());

        assertThat(kek.unwrap(wrapped, "use")).hasValue(KEY);
        assertThat(kek.problem()).isEmpty();
    }

    /** An unrelated module that is away must not be blamed. */
    @Test
    void lostKeyOfAFileIsNamedThoughAModuleIsAwayToo() throws Exception {
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            rig.put("a", "YQ==");
        }
        Pkcs11Key away = key(hsm.uri("none", "kek"));
        assertThatThrownBy(() -> away.wrap(KEY, "use")).hasMessageContaining("no token");

        try (KeyRig rig = KeyRig.open(database, source(away))) {
            assertThat(rig.keys.problem().orElseThrow())
                    .contains(
                            "does not have the key \"" + OUTER.id(),
                            folder.resolve(KeyFile.NAME).toString())
                    .doesNotContain("no token");
        }
    }

    @Test
    void keyOfAModuleThatIsNotConfiguredIsNamedWithItsOption() throws Exception {
        try (KeyRig rig = KeyRig.open(database, source(key("orloj", "kek")))) {
            rig.put("a", "YQ==");
        }
        try (KeyRig rig = KeyRig.open(database, OUTER)) {
            assertThat(rig.keys.problem().orElseThrow())
                    .contains("\"pkcs11:token=orloj;object=kek\"", "--secret-key-pkcs11");
        }
    }

    @Test
    void whatIsNotThereIsNamed() {
        String usual = hsm.uri("orloj", "kek");
        Stream.of(
                        List.of(hsm.uri("none", "kek"), "no token \"none\""),
                        List.of(hsm.uri("orloj", "none"), "no secret key \"none\""),
                        List.of(
                                usual.replace(SoftHsm.module().toString(), "/none.so"),
                                "module \"/none.so\" is not there"),
                        List.of(
                                usual.replace(SoftHsm.module().toString(), "/etc/passwd"),
                                "is no PKCS#11 module"))
                .forEach(
                        each ->
                                assertThatThrownBy(() -> key(each.getFirst()).wrap(KEY, "use"))
                                        .isInstanceOf(ApiException.class)
                                        .hasMessageContaining(each.getLast()));
    }

    @Test
    void sourceIsThatOfTheSettingsWithTheOthersBehindIt() throws Exception {
        KeySource source =
                KeySource.of(List.of(hsm.uri("orloj", "kek")), "", OUTER.base64(), "", folder);

        assertThat(source.load())
                .extracting(KeyEncryptionKey::id)
                .containsExactly("pkcs11:token=orloj;object=kek", OUTER.id());
        assertThat(source.files()).containsExactly(hsm.pin());
        assertThatThrownBy(() -> KeySource.of(List.of("pkcs11:token=t"), "", "", "", folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--secret-key-pkcs11");
    }
}
