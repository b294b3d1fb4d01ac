package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Namespace;
import dev.orloj.controllers.informer.Informer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;

/** What an edit of the database, or a newer orlojd, may leave in a row. */
@Timeout(60)
class UnreadableRowTest {

    private static final String NAMESPACE = "unreadable";
    private static final ResourceKey BROKEN = new ResourceKey(NAMESPACE, "broken");
    private static final ResourceKey WHOLE = new ResourceKey(NAMESPACE, "whole");

    private final ResourceClient client = TestRegistry.SHARED.client();

    @BeforeEach
    void storeTwoAndBreakOne() {
        if (client.find(Namespace.KIND, new ResourceKey("", NAMESPACE)).isEmpty()) {
            client.create(Namespace.KIND, Namespace.of(NAMESPACE));
        }
        for (ResourceKey key : List.of(BROKEN, WHOLE)) {
            client.create(ConfigMap.KIND, configMap(key));
        }
        damage();
    }

    @AfterEach
    void deleteBoth() {
        for (ResourceKey key : List.of(BROKEN, WHOLE)) {
            client.delete(ConfigMap.KIND, key, DeleteOptions.UNCONDITIONAL);
        }
    }

    private static ConfigMap configMap(ResourceKey key) {
        return new ConfigMap(
                "v1",
                "ConfigMap",
                ObjectMeta.of(key.namespace(), key.name()),
                Map.of("a", "1"),
                Map.of(),
                false);
    }

    private static void damage() {
        TestRegistry.SHARED
                .jdbc()
                .sql(
                        """
                        UPDATE resource
                           SET document = jsonb_set(document::jsonb, '{data}', '"no map"')::json
                         WHERE namespace = :namespace AND name = :name
                        """)
                .param("namespace", BROKEN.namespace())
                .param("name", BROKEN.name())
                .update();
    }

    @Test
    void oneDoesNotKeepTheOthersFromBeingFollowed() throws InterruptedException {
        try (Informer<ConfigMap> informer = new Informer<>(client, ConfigMap.KIND)) {
            informer.start();

            await().until(informer::hasSynced);
            assertThat(informer.cache().find(WHOLE)).isPresent();
            assertThat(informer.cache().find(BROKEN)).isEmpty();
        }
    }

    @Test
    void replacementIsAdmittedAndFollowed() throws InterruptedException {
        try (Informer<ConfigMap> informer = new Informer<>(client, ConfigMap.KIND)) {
            informer.start();
            await().until(informer::hasSynced);

            client.patch(
                    ConfigMap.KIND,
                    BROKEN,
                    Json.MAPPER
                            .createObjectNode()
                            .set("data", Json.MAPPER.createObjectNode().put("a", "2")));

            await().until(() -> informer.cache().find(BROKEN).isPresent());
        }
    }
}
