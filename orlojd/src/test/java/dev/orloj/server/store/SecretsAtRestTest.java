package dev.orloj.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.core.CoreSecret;
import dev.orloj.api.core.Secret;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

class SecretsAtRestTest {

    private static final KindDescriptor<Secret> SECRETS = Secret.DESCRIPTOR;
    private static final ResourceKey KEY = new ResourceKey("default", "github");
    private static final String FIRST = "c3dvcmRmaXNoLW9uZQ==";
    private static final String SECOND = "c3dvcmRmaXNoLXR3bw==";

    private StoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = new StoreFixture();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ObjectNode secret(String value) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", "orloj.dev/v1").put("kind", "Secret");
        ObjectNode metadata = document.putObject("metadata");
        metadata.put("name", KEY.name()).put("namespace", KEY.namespace());
        metadata.put("uid", UUID.nameUUIDFromBytes(new byte[] {1}).toString());
        // What a client-side apply leaves behind.
        metadata.putObject("annotations")
                .put(
                        "kubectl.kubernetes.io/last-applied-configuration",
                        "{\"spec\":{\"data\":{\"token\":\"%s\"}}}".formatted(value));
        document.putObject("spec").put("type", "Opaque").putObject("data").put("token", value);
        return document;
    }

    private static String token(ObjectNode document) {
        return document.at("/spec/data/token").asString();
    }

    @Test
    void noColumnOfAnyTableShowsAValue() {
        fixture.put(SECRETS, secret(FIRST));
        fixture.put(SECRETS, secret(SECOND));
        fixture.store()
                .write(SECRETS, KEY, current -> new Mutation.Outcome.Remove(current.orElseThrow()));
        fixture.put(SECRETS, secret(FIRST));

        List<String> tables =
                fixture.jdbc()
                        .sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
                        .query(String.class)
                        .list();
        assertThat(tables).contains("resource", "resource_change");
        for (String table : tables) {
            List<String> rows =
                    fixture.jdbc()
                            .sql("SELECT t::text FROM %s AS t".formatted(table))
                            .query(String.class)
                            .list();
            for (String value : List.of(FIRST, SECOND)) {
                String plain = new String(Base64.getDecoder().decode(value));
                assertThat(rows).noneMatch(row -> row.contains(value) || row.contains(plain));
            }
        }
    }

    @Test
    void everyDoorOfTheStoreHandsOutThePlainDocument() throws Exception {
        try (Watch<ObjectNode> watch =
                fixture.store().watch(SECRETS, WatchOptions.everythingAfter(fixture.head()))) {
            ObjectNode written = fixture.put(SECRETS, secret(FIRST));

            assertThat(token(written)).isEqualTo(FIRST);
            assertThat(fixture.store().find(SECRETS, KEY)).contains(written);
            assertThat(fixture.store().list(SECRETS, ListOptions.everything()).items())
                    .containsExactly(written);
            Optional<WatchEvent<ObjectNode>> event = watch.next(Duration.ofSeconds(20));
            assertThat(event).contains(new WatchEvent.Added<>(written));
        }
    }

    @Test
    void secretOfTheCoreShapeIsSealedToo() {
        fixture.put(CoreSecret.DESCRIPTOR, CoreSecret.DESCRIPTOR.fromStored(secret(FIRST)));

        String plain = new String(Base64.getDecoder().decode(FIRST));
        assertThat(
                        fixture.jdbc()
                                .sql("SELECT document::text FROM resource WHERE name = ?")
                                .param(KEY.name())
                                .query(String.class)
                                .single())
                .contains("\"token\"")
                .doesNotContain(FIRST, plain);
        assertThat(token(fixture.store().find(SECRETS, KEY).orElseThrow())).isEqualTo(FIRST);
    }

    @Test
    void unchangedSecretIsNotWrittenAgain() {
        ObjectNode first = fixture.put(SECRETS, secret(FIRST));
        ObjectNode second = fixture.put(SECRETS, secret(FIRST));

        assertThat(second).isEqualTo(first);
    }

    @Test
    void secretOfALostKeyNamesItAndLeavesOutTheValues() {
        fixture.put(SECRETS, secret(FIRST));
        SecretCipher other =
                SecretCipher.fromBase64(
                        Base64.getEncoder()
                                .encodeToString(
                                        new byte[] {
                                            1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3,
                                            4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8
                                        }));
        try (PostgresStore stranger =
                new PostgresStore(
                        fixture.database().pool(),
                        fixture.database().direct(),
                        other,
                        StoreSettings.DEFAULTS,
                        InstantSource.system())) {
            ObjectNode found = stranger.find(SECRETS, KEY).orElseThrow();

            assertThat(found.at("/spec/data").isEmpty()).isTrue();
            assertThat(found.at("/metadata/annotations").path(Secret.MISSING_KEY).asString(""))
                    .matches("[0-9a-f]{16}");
        }
    }
}
