package dev.orloj.server.store.table;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The position at which a list continues. Opaque to clients, in the form that Kubernetes uses, plus
 * the number of remaining resources.
 *
 * @param revision of the first page, which all pages show, or {@link #NOW}
 * @param last the end of the page before
 * @param remaining how many follow, -1 when unknown
 */
public record ContinueToken(long revision, ResourceKey last, long remaining) {

    /** In place of a revision: continues with the state at the time of its use. */
    public static final long NOW = -1;

    private static final String FORMAT = "meta.k8s.io/v1";

    /** The same position in the list of the present state. */
    public ContinueToken now() {
        return new ContinueToken(NOW, last, -1);
    }

    public String encode() {
        String json =
                Json.MAPPER
                        .createObjectNode()
                        .put("v", FORMAT)
                        .put("rv", revision)
                        .put("start", last.namespace() + "/" + last.name() + "\0")
                        .put("remaining", remaining)
                        .toString();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @throws ApiException (BadRequest) when it is not one that {@link #encode} made
     */
    public static ContinueToken decode(String text) {
        try {
            byte[] json = Base64.getUrlDecoder().decode(text);
            JsonNode token = Json.MAPPER.readTree(json);
            String start = token.path("start").asString("");
            int slash = start.indexOf('/');
            long revision = token.path("rv").asLong(0);
            if (!token.path("v").asString("").equals(FORMAT)
                    || (revision < 1 && revision != NOW)
                    || slash < 0
                    || !start.endsWith("\0")) {
                throw notValid(text);
            }
            ResourceKey last =
                    new ResourceKey(
                            start.substring(0, slash),
                            start.substring(slash + 1, start.length() - 1));
            return new ContinueToken(revision, last, token.path("remaining").asLong(-1));
        } catch (IllegalArgumentException | JacksonException e) {
            throw notValid(text);
        }
    }

    private static ApiException notValid(String text) {
        return ApiException.badRequest(
                "continue key is not valid: \"%s\": list again without one".formatted(text));
    }
}
