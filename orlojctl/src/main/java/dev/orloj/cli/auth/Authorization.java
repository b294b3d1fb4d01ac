package dev.orloj.cli.auth;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/**
 * The login of a user at the authorization server of an McpServer, as orlojd answers it. Its texts
 * come from that server, and have no control characters here.
 */
record Authorization(ObjectNode document) {

    static Authorization read(Context context, ResourceKey server) {
        return of(context, Request.get(path(server)));
    }

    /** Begins a login, whose browser ends at the URI. */
    static Authorization begin(Context context, ResourceKey server, String redirectUri) {
        return post(
                context, server, Json.MAPPER.createObjectNode().put("redirectUri", redirectUri));
    }

    /**
     * Finishes a login.
     *
     * @param query what the authorization server added to the URI
     */
    static Authorization finish(
            Context context, ResourceKey server, String redirectUri, String query) {
        return post(
                context,
                server,
                Json.MAPPER.createObjectNode().put("redirectUri", redirectUri).put("query", query));
    }

    static Authorization delete(Context context, ResourceKey server) {
        return of(context, Request.of("DELETE", path(server), new byte[0]));
    }

    private static Authorization post(Context context, ResourceKey server, ObjectNode body) {
        return of(context, Request.of("POST", path(server), Json.MAPPER.writeValueAsBytes(body)));
    }

    private static Authorization of(Context context, Request request) {
        return new Authorization(context.connection().readObject(request));
    }

    private static String path(ResourceKey server) {
        return Paths.of(McpServer.KIND, server) + "/authorization";
    }

    /** Returns the server as messages name it. */
    static String name(ResourceKey server) {
        return McpServer.KIND.singular() + "/" + server.name();
    }

    boolean isLoggedIn() {
        return document.at("/status/loggedIn").asBoolean(false);
    }

    boolean isRenewable() {
        return document.at("/status/renewable").asBoolean(false);
    }

    String issuer() {
        return text("/status/issuer");
    }

    String clientId() {
        return text("/status/clientId");
    }

    List<String> scopes() {
        return document.at("/status/scopes")
                .valueStream()
                .map(scope -> Text.oneLine(scope.asString("")))
                .toList();
    }

    String since() {
        return text("/status/since");
    }

    String expires() {
        return text("/status/expires");
    }

    String secret() {
        return text("/status/secret");
    }

    String message() {
        return text("/status/message");
    }

    /** Returns where a browser begins the login; empty if none was begun. */
    String authorizationUrl() {
        return document.at("/request/authorizationUrl").asString("");
    }

    /** Returns what the authorization server did with the tokens. */
    String revocation() {
        return text("/revocation");
    }

    private String text(String pointer) {
        return Text.oneLine(document.at(pointer).asString(""));
    }
}
