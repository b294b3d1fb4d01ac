package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.controllers.login.LoginSecrets;
import dev.orloj.controllers.login.LoginTarget;
import dev.orloj.runtime.oauth.ClientAuthentication;
import dev.orloj.runtime.oauth.Login;
import dev.orloj.runtime.oauth.OAuthFailure;
import dev.orloj.runtime.oauth.OAuthSettings;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Set;
import java.util.function.Function;

/** Resolves the credentials of servers that are reached over HTTP. */
final class HttpCredentials {

    private HttpCredentials() {}

    /** Returns the names of the Secrets that they refer to. */
    static Set<String> secretNames(String server, McpServerSpec.@Nullable Auth auth) {
        if (auth == null) {
            return Set.of();
        }
        OAuthClient oauth = auth.oauth();
        return oauth == null
                ? Set.of(SecretRef.parse(auth.secretRef()).name())
                : oauth.secretNames(server);
    }

    /**
     * @param logins returns where the login that a Secret holds is kept
     * @throws UnresolvedReferenceException when a Secret is missing, or no user is logged in
     */
    static OAuthSettings oauth(
            McpServer server,
            OAuthClient client,
            ReferencedValues values,
            Function<ResourceKey, Login.Store> logins) {
        OAuthSettings settings = settings(server, client, values);
        if (!client.requiresLogin()) {
            return settings;
        }
        ResourceKey secret = LoginSecrets.key(server);
        values.at("");
        Login login =
                values.secret(secret.name())
                        .flatMap(LoginSecrets::login)
                        .orElseThrow(() -> loginRequired(settings, "No user is logged in"));
        if (login.isOver()) {
            throw loginRequired(settings, "The login has ended: " + login.end());
        }
        return settings.with(new Login.Reference(login.id(), logins.apply(secret)));
    }

    private static UnresolvedReferenceException loginRequired(OAuthSettings settings, String why) {
        return new UnresolvedReferenceException(
                OAuthFailure.LOGIN_REQUIRED.reason(),
                "%s; run \"%s\"".formatted(why, settings.loginCommand()));
    }

    /**
     * Returns where users log in for a server.
     *
     * @throws ApiException when they cannot
     */
    static LoginTarget loginTarget(McpServer server, ReferencedValues values) {
        OAuthClient client = LoginSecrets.client(server);
        try {
            return new LoginTarget(
                    URI.create(server.spec().http().endpoint().strip()),
                    settings(server, client, values));
        } catch (UnresolvedReferenceException e) {
            throw ApiException.conflict(
                    McpServer.KIND, server.metadata().name(), String.valueOf(e.getMessage()));
        }
    }

    private static OAuthSettings settings(
            McpServer server, OAuthClient client, ReferencedValues values) {
        values.at("spec.auth.oauth.clientSecretRef");
        String secret =
                client.clientSecretRef().isEmpty()
                        ? null
                        : values.headerValue(client.clientSecretRef());
        values.at("spec.auth.oauth.privateKeyRef");
        String key = client.privateKeyRef().isEmpty() ? null : values.text(client.privateKeyRef());
        OAuthSettings settings =
                new OAuthSettings(
                        server.key().toString(),
                        new ClientAuthentication(client.clientId(), secret, key, method(client)),
                        client.issuer(),
                        client.tokenUrl(),
                        client.scopes(),
                        client.resource());
        return client.exchangesTokens()
                ? settings.withTokenExchange(client.audience())
                : settings.withAuthorizationUrl(client.authorizationUrl());
    }

    private static ClientAuthentication.@Nullable Method method(OAuthClient client) {
        OAuthClient.AuthMethod method = client.tokenEndpointAuthMethod();
        return method == null
                ? null
                : switch (method) {
                    case CLIENT_SECRET_BASIC -> ClientAuthentication.Method.CLIENT_SECRET_BASIC;
                    case CLIENT_SECRET_POST -> ClientAuthentication.Method.CLIENT_SECRET_POST;
                    case PRIVATE_KEY_JWT -> ClientAuthentication.Method.PRIVATE_KEY_JWT;
                };
    }
}
