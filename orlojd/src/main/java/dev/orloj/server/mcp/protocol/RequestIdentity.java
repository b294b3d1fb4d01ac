package dev.orloj.server.mcp.protocol;

import dev.orloj.api.codec.Json;
import dev.orloj.api.signature.Sha256;

import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.node.ObjectNode;

import java.util.Base64;
import java.util.HashSet;
import java.util.Set;

/**
 * Identifies a request across its rounds.
 *
 * @param caller the client that makes it
 * @param digest of the request and its endpoint, without {@code _meta}, which differs in each round
 */
public record RequestIdentity(String caller, String digest) {

    public static RequestIdentity of(ClientRequest request) {
        Set<String> perRound = new HashSet<>(MultiRoundTrip.MEMBERS);
        perRound.add(ReservedMeta.MEMBER);
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("scope", request.scope().toString());
        content.put("method", request.method());
        content.set("params", request.params().deepCopy().without(perRound));
        byte[] canonical =
                Json.MAPPER
                        .writer()
                        .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
                        .writeValueAsBytes(content);
        return new RequestIdentity(
                request.headers().caller(),
                Base64.getEncoder().encodeToString(Sha256.digest(canonical)));
    }
}
