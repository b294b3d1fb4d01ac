package dev.orloj.api.oauth;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.oauth.OAuthClient.AuthMethod;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Validates an OAuth client beyond its schema. */
public final class OAuthClientRules {

    private static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5b\\x5d-\\x7e]+");

    private OAuthClientRules() {}

    /** Adds the errors of the client at this path. */
    public static void validate(FieldPath path, OAuthClient client, List<FieldError> errors) {
        if (client.requiresLogin()) {
            validateLogin(path, client, errors);
        } else {
            validateWithoutLogin(path, client, errors);
        }
        if (client.exchangesTokens()) {
            validateExchange(path, client, errors);
        } else if (!client.audience().isEmpty()) {
            errors.add(
                    FieldError.forbidden(
                            path.child("audience"),
                            "only with grantType:"
                                    + " urn:ietf:params:oauth:grant-type:token-exchange"));
        }
        validateCredential(path, client, errors);
        validateUrl(path.child("issuer"), client.issuer(), errors);
        validateUrl(path.child("authorizationUrl"), client.authorizationUrl(), errors);
        validateUrl(path.child("tokenUrl"), client.tokenUrl(), errors);
        validateUrl(path.child("resource"), client.resource(), errors);
        for (int i = 0; i < client.scopes().size(); i++) {
            String scope = client.scopes().get(i);
            if (!SCOPE.matcher(scope).matches()) {
                errors.add(
                        FieldError.invalid(
                                path.child("scopes").index(i),
                                scope,
                                "must be one scope, without spaces and quotes"));
            }
        }
    }

    private static void validateLogin(FieldPath path, OAuthClient client, List<FieldError> errors) {
        boolean isRegistered =
                !client.clientSecretRef().isEmpty()
                        || !client.privateKeyRef().isEmpty()
                        || !client.tokenUrl().isEmpty();
        if (client.clientId().isBlank() && isRegistered) {
            errors.add(
                    FieldError.required(
                            path.child("clientId"),
                            "give the id of the client; only a client without credentials, at an"
                                    + " authorization server with metadata, registers itself"));
        }
        if (client.authorizationUrl().isEmpty() != client.tokenUrl().isEmpty()) {
            errors.add(
                    FieldError.required(
                            path.child(
                                    client.tokenUrl().isEmpty() ? "tokenUrl" : "authorizationUrl"),
                            "authorizationUrl and tokenUrl require each other"));
        }
        if (!client.loginSecret().isEmpty()) {
            NameRule.SUBDOMAIN
                    .check(path.child("loginSecret"), client.loginSecret())
                    .ifPresent(errors::add);
        }
    }

    private static void validateWithoutLogin(
            FieldPath path, OAuthClient client, List<FieldError> errors) {
        if (client.clientId().isBlank()) {
            errors.add(FieldError.required(path.child("clientId"), "give the id of the client"));
        }
        if (client.clientSecretRef().isEmpty() && client.privateKeyRef().isEmpty()) {
            errors.add(FieldError.required(path, "give clientSecretRef or privateKeyRef"));
        }
        forbidWithoutLogin(path.child("authorizationUrl"), client.authorizationUrl(), errors);
        forbidWithoutLogin(path.child("loginSecret"), client.loginSecret(), errors);
    }

    /** The token of a user goes to the issuer that has issued it, wherever a manifest points. */
    private static void validateExchange(
            FieldPath path, OAuthClient client, List<FieldError> errors) {
        if (client.issuer().isBlank()) {
            errors.add(
                    FieldError.required(
                            path.child("issuer"),
                            "give the issuer of the tokens of the users; they are exchanged there"
                                    + " and nowhere else"));
        }
        if (!client.tokenUrl().isEmpty()) {
            errors.add(
                    FieldError.forbidden(
                            path.child("tokenUrl"),
                            "the token of a user goes to the token endpoint in the metadata of its"
                                    + " issuer only; remove the field"));
        }
    }

    private static void forbidWithoutLogin(FieldPath path, String value, List<FieldError> errors) {
        if (!value.isEmpty()) {
            errors.add(FieldError.forbidden(path, "only with grantType: authorization_code"));
        }
    }

    private static void validateCredential(
            FieldPath path, OAuthClient client, List<FieldError> errors) {
        String secret = client.clientSecretRef();
        String key = client.privateKeyRef();
        if (!secret.isEmpty() && !key.isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            path,
                            client.clientId(),
                            "clientSecretRef and privateKeyRef exclude each other"));
        }
        if (!secret.isEmpty()) {
            SecretRef.check(path.child("clientSecretRef"), secret).ifPresent(errors::add);
        }
        if (!key.isEmpty()) {
            SecretRef.check(path.child("privateKeyRef"), key).ifPresent(errors::add);
        }
        AuthMethod method = client.tokenEndpointAuthMethod();
        if (method != null && (method == AuthMethod.PRIVATE_KEY_JWT) == key.isEmpty()) {
            errors.add(
                    FieldError.invalid(
                            path.child("tokenEndpointAuthMethod"),
                            method.name().toLowerCase(Locale.ROOT),
                            "private_key_jwt needs privateKeyRef, and the others need"
                                    + " clientSecretRef"));
        }
    }

    private static void validateUrl(FieldPath path, String text, List<FieldError> errors) {
        if (!text.isEmpty() && !isUrl(text)) {
            errors.add(
                    FieldError.invalid(
                            path,
                            text,
                            "must be a URL such as https://login.example.com, without user and"
                                    + " fragment"));
        }
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = new URI(text);
            return ("https".equalsIgnoreCase(uri.getScheme())
                            || "http".equalsIgnoreCase(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
