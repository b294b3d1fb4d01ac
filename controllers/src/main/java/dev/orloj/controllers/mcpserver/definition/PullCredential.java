package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.RegistryCredential;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * Reads the credential for a registry from a Secret. The Secret has the keys {@code username} and
 * {@code password}, and {@code registry} if they are for one registry only. Or it has {@code
 * .dockerconfigjson} in the format of Docker and Kubernetes.
 */
final class PullCredential {

    private static final String DOCKER_CONFIG = ".dockerconfigjson";

    private PullCredential() {}

    /**
     * @param registry of the image
     * @throws UnresolvedReferenceException when the Secret has nothing for the registry of the
     *     image
     */
    static RegistryCredential of(String secretName, String registry, ReferencedValues values) {
        Map<String, String> data = values.allOfSecret(secretName);
        if (data.containsKey(DOCKER_CONFIG)) {
            return fromDockerConfig(secretName, data.get(DOCKER_CONFIG), registry);
        }
        String username = data.get("username");
        String password = data.get("password");
        if (username == null || password == null) {
            throw notUsable(
                    secretName, "it has neither \"%s\" nor username and password", DOCKER_CONFIG);
        }
        String only = data.getOrDefault("registry", registry).strip();
        if (!ImageSource.hostOf(only).equals(registry)) {
            throw notUsable(
                    secretName,
                    "it is for registry \"%s\", the image is of \"%s\"",
                    only,
                    registry);
        }
        return new RegistryCredential(registry, username.strip(), password.strip());
    }

    private static RegistryCredential fromDockerConfig(
            String secretName, String config, String registry) {
        try {
            for (Map.Entry<String, JsonNode> entry :
                    Json.MAPPER.readTree(config).path("auths").properties()) {
                if (ImageSource.hostOf(entry.getKey()).equals(registry)) {
                    return credential(registry, entry.getValue());
                }
            }
        } catch (JacksonException | IllegalArgumentException e) {
            // The text is a secret, and the message of the parser may quote it.
            throw notUsable(secretName, "its \"%s\" cannot be read", DOCKER_CONFIG);
        }
        throw notUsable(
                secretName, "its \"%s\" has nothing for registry \"%s\"", DOCKER_CONFIG, registry);
    }

    private static RegistryCredential credential(String registry, JsonNode entry) {
        String auth = entry.path("auth").asString("");
        if (auth.isEmpty()) {
            return new RegistryCredential(
                    registry,
                    entry.path("username").asString(""),
                    entry.path("password").asString(""));
        }
        String[] parts =
                new String(Base64.getDecoder().decode(auth), StandardCharsets.UTF_8).split(":", 2);
        return new RegistryCredential(registry, parts[0], parts.length < 2 ? "" : parts[1]);
    }

    private static UnresolvedReferenceException notUsable(
            String secretName, String why, Object... details) {
        return new UnresolvedReferenceException(
                DefinitionResolver.SECRET_NOT_USABLE,
                "Secret \"%s\" cannot be used to pull the image: %s"
                        .formatted(secretName, why.formatted(details)));
    }
}
