package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.core.ConfigMap;
import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.secret.EnvironmentSecrets;
import dev.orloj.controllers.secret.MountedSecrets;
import dev.orloj.controllers.secret.OperatorSecrets;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Looks up the values of Secrets and ConfigMaps that one server or Tool uses, and remembers them.
 * Not thread-safe.
 */
public final class ReferencedValues {

    private final Function<String, Optional<Secret>> secrets;
    private final Function<String, Optional<ConfigMap>> configMaps;
    private final OperatorSecrets operator;
    private final String namespace;
    private final Map<String, String> used = new TreeMap<>();
    private final Set<String> sources = new TreeSet<>();
    private final String user;
    private String field = "";

    /**
     * @param operator has values for Secrets that do not exist
     * @param namespace of the server
     */
    ReferencedValues(
            Function<String, Optional<Secret>> secrets,
            Function<String, Optional<ConfigMap>> configMaps,
            OperatorSecrets operator,
            String namespace) {
        this(secrets, configMaps, operator, namespace, "server");
    }

    /** Creates the look-up for a Tool. Tools refer only to Secrets. */
    public static ReferencedValues ofTool(
            Function<String, Optional<Secret>> secrets,
            OperatorSecrets operator,
            String namespace) {
        return new ReferencedValues(secrets, _ -> Optional.empty(), operator, namespace, "tool");
    }

    private ReferencedValues(
            Function<String, Optional<Secret>> secrets,
            Function<String, Optional<ConfigMap>> configMaps,
            OperatorSecrets operator,
            String namespace,
            String user) {
        this.secrets = secrets;
        this.configMaps = configMaps;
        this.operator = operator;
        this.namespace = namespace;
        this.user = user;
    }

    /** Sets the field of the manifest that the next look-ups are for. */
    public void at(String format, Object... place) {
        field = format.formatted(place);
    }

    private UnresolvedReferenceException unresolved(String reason, String message) {
        return new UnresolvedReferenceException(
                reason, field.isEmpty() ? message : field + ": " + message);
    }

    /** Returns a Secret that need not exist. */
    Optional<Secret> secret(String name) {
        return secrets.apply(name).map(this::requireReadable);
    }

    /** Returns all values of a Secret by key. Empty if an optional Secret does not exist. */
    Map<String, String> allOfSecret(McpServer.SourceRef ref) {
        Optional<Secret> secret = secrets.apply(ref.name());
        if (secret.isEmpty() && !ref.optional()) {
            throw secretNotFound(ref.name(), "create it, or set optional: true");
        }
        return secret.isEmpty() ? new TreeMap<>() : allOfSecret(ref.name());
    }

    /** Returns all values of a required Secret by key. */
    Map<String, String> allOfSecret(String name) {
        Secret secret = secrets.apply(name).orElseThrow(() -> secretNotFound(name, "create it"));
        requireReadable(secret);
        Map<String, String> values = new TreeMap<>();
        for (String key : secret.spec().data().keySet()) {
            values.put(key, text(name + "/" + key));
        }
        return values;
    }

    /** Returns all texts of a ConfigMap by key. Empty if an optional ConfigMap does not exist. */
    Map<String, String> allOfConfigMap(McpServer.SourceRef ref) {
        Optional<ConfigMap> configMap = configMaps.apply(ref.name());
        if (configMap.isEmpty() && !ref.optional()) {
            throw unresolved(
                    DefinitionResolver.CONFIG_MAP_NOT_FOUND,
                    "ConfigMap \"%s\" does not exist in the namespace of the server; create it, or set optional: true"
                            .formatted(ref.name()));
        }
        return configMap.map(ConfigMap::data).orElse(Map.of());
    }

    /** Returns the value in a form that an environment variable can hold. */
    String text(String reference) {
        String value = find(SecretRef.parse(reference));
        if (value.indexOf('\0') >= 0) {
            throw notUsable(reference, "it holds a NUL character");
        }
        return value;
    }

    /** Returns the value in Base64. A file can hold any bytes. */
    String encoded(String reference) {
        return findEncoded(SecretRef.parse(reference));
    }

    /**
     * Returns the value in a form that a header can hold, without the line end that files tend to
     * have.
     *
     * @throws UnresolvedReferenceException when there is no value, or it cannot be used
     */
    public String headerValue(String reference) {
        String value = find(SecretRef.parse(reference)).strip();
        if (value.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw notUsable(reference, "it holds characters that a header cannot");
        }
        return value;
    }

    private UnresolvedReferenceException notUsable(String reference, String why) {
        return unresolved(
                DefinitionResolver.SECRET_NOT_USABLE,
                "The value of secretRef \"%s\" cannot be used: %s".formatted(reference, why));
    }

    private String find(SecretRef ref) {
        return decoded(findEncoded(ref));
    }

    private String findEncoded(SecretRef ref) {
        Optional<Secret> secret = secrets.apply(ref.name());
        secret.ifPresent(this::noteFiles);
        String encoded =
                secret.isPresent()
                        ? requireReadable(secret.get())
                                .find(ref)
                                .orElseThrow(() -> keyNotFound(ref))
                        : ofEnvironment(ref);
        used.put(ref.toString(), decoded(encoded));
        return encoded;
    }

    private void noteFiles(Secret secret) {
        MountedSecrets.folder(secret)
                .ifPresent(folder -> sources.add(folder + "/" + secret.metadata().name()));
    }

    private String ofEnvironment(SecretRef ref) {
        String variable = EnvironmentSecrets.variable(ref);
        String value =
                operator.environment()
                        .find(ref)
                        .orElseThrow(
                                () -> secretNotFound(ref.name(), operator.remedy(namespace, ref)));
        sources.add(variable);
        return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    private UnresolvedReferenceException secretNotFound(String name, String remedy) {
        return unresolved(
                DefinitionResolver.SECRET_NOT_FOUND,
                "Secret \"%s\" does not exist in the namespace of the %s; %s"
                        .formatted(name, user, remedy));
    }

    private Secret requireReadable(Secret secret) {
        secret.missingKey()
                .ifPresent(
                        key -> {
                            throw unresolved(
                                    DefinitionResolver.ENCRYPTION_KEY_MISSING,
                                    "Secret \"%s\" is encrypted with key \"%s\", which orlojd does not have; put the key back and restart orlojd, or delete the Secret and create it again"
                                            .formatted(secret.metadata().name(), key));
                        });
        return secret;
    }

    private UnresolvedReferenceException keyNotFound(SecretRef ref) {
        String key = ref.key().isEmpty() ? SecretRef.DEFAULT_KEY : ref.key();
        return unresolved(
                DefinitionResolver.SECRET_KEY_NOT_FOUND,
                "Secret \"%s\" has no key \"%s\"; add it, or refer to another"
                        .formatted(ref.name(), key));
    }

    /**
     * Returns the environment variables of orlojd and the files that were used in place of Secrets
     * that do not exist.
     */
    List<String> sources() {
        return List.copyOf(sources);
    }

    /**
     * Returns the values that were looked up, without surrounding white space, which is the form
     * that headers hold.
     */
    List<String> shown() {
        return used.values().stream().map(String::strip).distinct().toList();
    }
}
