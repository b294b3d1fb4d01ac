package dev.orloj.cli.client;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Creates tokens for MCP clients. Each client is a user of its own, which may use the tools,
 * prompts and resources of one namespace and nothing else: a file of a client is read by more
 * programs than the credentials of its owner.
 */
final class ClientTokens {

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String BEARER = "Bearer ";

    /** The longest that orlojd issues. */
    private static final long SECONDS = 365L * 24 * 60 * 60;

    /** For clocks that differ. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    private final Context context;
    private final Map<ClientProgram, String> issued = new EnumMap<>(ClientProgram.class);

    ClientTokens(Context context) {
        this.context = context;
    }

    /** Returns the token in the entry of a client; empty when there is none. */
    static Optional<String> in(JsonNode entry) {
        return entry.findValuesAsString("Authorization").stream()
                .filter(header -> header.startsWith(BEARER))
                .map(header -> header.substring(BEARER.length()))
                .findFirst();
    }

    /**
     * Returns a token for a client, a new one when it is the first time; empty for a client that
     * sends none, and for a server that was reached without a credential.
     *
     * @throws CommandException when the user may not create it
     */
    Optional<String> of(ClientProgram client) {
        if (client.startsPrograms() || !context.hasCredential()) {
            return Optional.empty();
        }
        String known = issued.get(client);
        if (known == null) {
            known = issue("client-" + client.label());
            issued.put(client, known);
        }
        return Optional.of(known);
    }

    private String issue(String user) {
        try {
            bind(user);
            ObjectNode token = document("orloj.dev/v1", "UserToken");
            token.putObject("spec").put("user", user).put("expirationSeconds", seconds());
            ObjectNode answer = post("/apis/orloj.dev/v1/usertokens", token);
            context.err()
                    .println(
                            "The token is \"%s\" of user \"%s\", until %s; it may use namespace %s. \"orlojctl token revoke\" ends it."
                                    .formatted(
                                            answer.at("/metadata/name").asString(""),
                                            user,
                                            answer.at("/status/expirationTimestamp").asString(""),
                                            context.namespace()));
            return answer.at("/status/token").asString("");
        } catch (ApiException e) {
            throw new CommandException(
                    "no token for the client: %s; ask an administrator for one (orlojctl create token --user NAME)"
                            .formatted(e.getMessage()));
        }
    }

    /** No token outlives the certificate with which it is created. */
    private long seconds() {
        return context.certificateEnd()
                .map(end -> Duration.between(context.console().clock().instant(), end))
                .map(left -> Math.min(SECONDS, left.minus(MARGIN).toSeconds()))
                .orElse(SECONDS);
    }

    private void bind(String user) {
        ObjectNode binding = document(RBAC + "/v1", "RoleBinding");
        binding.putObject("metadata").put("name", user);
        binding.putObject("roleRef")
                .put("apiGroup", RBAC)
                .put("kind", "ClusterRole")
                .put("name", "caller");
        binding.putArray("subjects")
                .addObject()
                .put("apiGroup", RBAC)
                .put("kind", "User")
                .put("name", user);
        try {
            post(
                    "/apis/%s/v1/namespaces/%s/rolebindings".formatted(RBAC, context.namespace()),
                    binding);
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.ALREADY_EXISTS) {
                throw e;
            }
        }
    }

    private static ObjectNode document(String apiVersion, String kind) {
        return Json.MAPPER.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
    }

    private ObjectNode post(String path, ObjectNode body) {
        return context.connection()
                .readObject(Request.of("POST", path, Json.MAPPER.writeValueAsBytes(body)));
    }
}
