package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.core.SecretRef;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.runtime.oauth.ClientAuthentication;
import dev.orloj.runtime.oauth.OAuthSettings;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** Resolves the credentials of servers that are reached over HTTP. */
final class HttpCredentials {

    private HttpCredentials() {}

    /** Returns the names of the Secrets that they refer to. */
    static Set<String> secretNames(McpServerSpec.@Nullable Auth auth) {
        if (auth == null) {
            return Set.of();
        }
        OAuthClient oauth = auth.oauth();
        return oauth == null
                ? Set.of(SecretRef.parse(auth.secretRef()).name())
                : oauth.secretNames();
    }

    /**
     * @param server namespace and name
     */
    static OAuthSettings oauth(String server, OAuthClient client, ReferencedValues values) {
        values.at("spec.auth.oauth.clientSecretRef");
        String secret =
                client.clientSecretRef().isEmpty()
                        ? null
                        : values.headerValue(client.clientSecretRef());
        values.at("spec.auth.oauth.privateKeyRef");
        String key = client.privateKeyRef().isEmpty() ? null : values.text(client.privateKeyRef());
        return new OAuthSettings(
                server,
                new ClientAuthentication(client.clientId(), secret, key, method(client)),
                client.issuer(),
                client.tokenUrl(),
                client.scopes(),
                client.resource());
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
