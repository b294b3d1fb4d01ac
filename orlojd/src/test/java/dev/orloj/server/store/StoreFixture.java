package dev.orloj.server.store;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.WatchEvent;
import dev.orloj.api.client.Watch;
import dev.orloj.api.client.WatchOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A store on a database of its own. */
final class StoreFixture implements AutoCloseable {

    static final KindDescriptor<Tool> TOOLS = Tool.DESCRIPTOR;
    static final SecretCipher CIPHER =
            SecretCipher.fromBase64(Base64.getEncoder().encodeToString(new byte[32]));

    /** Longer than any change takes to arrive, even on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final PostgresStore store;

    StoreFixture() {
        this(StoreSettings.DEFAULTS);
    }

    StoreFixture(StoreSettings settings) {
        store = open(settings);
        store.start();
    }

    /** Another store on the same database, as another replica has one. Not started. */
    PostgresStore open(StoreSettings settings) {
        return new PostgresStore(
                database.pool(), database.direct(), CIPHER, settings, InstantSource.system());
    }

    PostgresStore store() {
        return store;
    }

    TestPostgres.Database database() {
        return database;
    }

    JdbcClient jdbc() {
        return database.jdbc();
    }

    static ResourceKey key(String name) {
        return new ResourceKey("default", name);
    }

    /** A Tool of that key, whose spec says {@code value}. */
    static ObjectNode tool(ResourceKey key, String value) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", "orloj.dev/v1").put("kind", "Tool");
        document.putObject("metadata")
                .put("name", key.name())
                .put("namespace", key.namespace())
                .put("uid", UUID.nameUUIDFromBytes(key.toString().getBytes()).toString());
        document.putObject("spec").put("description", value);
        return document;
    }

    static ObjectNode labelled(ObjectNode document, String name, String value) {
        document.withObject("/metadata/labels").put(name, value);
        return document;
    }

    /** Creates or replaces a Tool; returns what is stored. */
    ObjectNode put(ResourceKey key, String value) {
        return put(tool(key, value));
    }

    ObjectNode put(ObjectNode document) {
        return put(TOOLS, document);
    }

    ObjectNode put(KindDescriptor<?> kind, ObjectNode document) {
        return store.write(kind, keyOf(document), _ -> new Mutation.Outcome.Put(document));
    }

    ObjectNode remove(ResourceKey key) {
        return store.write(
                TOOLS, key, current -> new Mutation.Outcome.Remove(current.orElseThrow()));
    }

    static ResourceKey keyOf(ObjectNode document) {
        return new ResourceKey(
                document.at("/metadata/namespace").asString(""),
                document.at("/metadata/name").asString(""));
    }

    static ResourceVersion version(ObjectNode document) {
        return ResourceVersion.parse(document.at("/metadata/resourceVersion").asString());
    }

    static String value(ObjectNode document) {
        return document.at("/spec/description").asString("");
    }

    Watch<ObjectNode> watchAfter(ResourceVersion from) {
        return store.watch(TOOLS, WatchOptions.everythingAfter(from));
    }

    ResourceVersion head() {
        return store.head(TOOLS.shard());
    }

    /** The next events that are no bookmarks, in words. */
    static List<String> take(Watch<ObjectNode> watch, int count) throws InterruptedException {
        List<String> events = new ArrayList<>();
        while (events.size() < count) {
            Optional<WatchEvent<ObjectNode>> event = watch.next(TIMEOUT);
            if (event.isEmpty()) {
                throw new AssertionError("Only " + events + " came of " + count + " events");
            }
            if (!(event.get() instanceof WatchEvent.Bookmark<ObjectNode>)) {
                events.add(words(event.get()));
            }
        }
        return events;
    }

    static String words(WatchEvent<ObjectNode> event) {
        return switch (event) {
            case WatchEvent.Added<ObjectNode>(ObjectNode o) -> "added " + words(o);
            case WatchEvent.Modified<ObjectNode>(ObjectNode o) -> "modified " + words(o);
            case WatchEvent.Deleted<ObjectNode>(ObjectNode o) -> "deleted " + words(o);
            case WatchEvent.Bookmark<ObjectNode>(ResourceVersion v, boolean end) ->
                    (end ? "initial state ends " : "bookmark ") + v;
        };
    }

    private static String words(ObjectNode document) {
        return "%s=%s@%s".formatted(keyOf(document).name(), value(document), version(document));
    }

    @Override
    public void close() {
        store.close();
        database.close();
    }
}
