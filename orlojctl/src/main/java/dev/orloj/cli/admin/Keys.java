package dev.orloj.cli.admin;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The data keys of a server. */
final class Keys {

    static final String PATH = "/apis/orloj.dev/v1/encryptionkeys";

    private Keys() {}

    /**
     * A key.
     *
     * @param state Current, Retired, Removed or Missing
     * @param wrappedBy empty for a key that is not in the database
     * @param values how many encrypted values name it
     */
    record Key(String id, String state, String wrappedBy, String created, long values) {

        private static Key of(JsonNode item) {
            return new Key(
                    item.at("/metadata/name").asString(""),
                    item.at("/status/state").asString(""),
                    item.at("/status/wrappedBy").asString(""),
                    item.at("/metadata/creationTimestamp").asString(""),
                    item.at("/status/values").asLong(0));
        }
    }

    /** Returns the keys, the oldest first. */
    static List<Key> list(Context context) {
        return Json.MAPPER
                .readTree(context.connection().read(Request.get(PATH)))
                .path("items")
                .valueStream()
                .map(Key::of)
                .toList();
    }
}
