package dev.orloj.cli.importing;

import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The manifests of one server.
 *
 * @param secret the values that it needs; empty when it needs none
 * @param missing what the user must still provide, for messages
 */
public record ServerManifests(
        String name, ObjectNode server, Optional<ObjectNode> secret, List<String> missing) {

    /** The annotation with the name that a server has in the file of a client. */
    public static final String IMPORTED_NAME = "orloj.dev/imported-name";

    /** The annotation of a Secret with the name of the server that it was made for. */
    private static final String CREDENTIALS_OF = "orloj.dev/credentials-of";

    private static final Pattern WORD = Pattern.compile("\\S+");

    /** Returns the documents in the order in which they are applied. */
    public List<ObjectNode> documents() {
        List<ObjectNode> documents = new ArrayList<>();
        secret.ifPresent(documents::add);
        documents.add(server);
        return documents;
    }

    /** Returns the name of the Secret of a server. */
    public static String secretName(String server) {
        return server + "-credentials";
    }

    /** Returns whether a Secret was made for a server. */
    public static boolean isOf(ObjectNode secret, String server) {
        return secret.at("/metadata/annotations").path(CREDENTIALS_OF).asString("").equals(server);
    }

    /**
     * Returns the manifests of a server.
     *
     * @throws EntryException when it contains secrets and must not
     */
    public static ServerManifests of(ConfiguredServer entry, String name, SecretPolicy policy) {
        ObjectNode server = document(McpServer.KIND.apiVersion(), McpServer.KIND.name(), name);
        if (!entry.name().equals(name) && !entry.name().isEmpty()) {
            server.withObject("/metadata/annotations").put(IMPORTED_NAME, entry.name());
        }
        ObjectNode spec = server.putObject("spec");
        Values values = new Values(name, policy);
        switch (entry.launch()) {
            case Launch.Program program -> program(spec, program, values);
            case Launch.Image image -> {
                spec.put("transport", "stdio").put("image", image.image());
                args(spec, image.args());
                values.put(spec, "env", image.env());
            }
            case Launch.Endpoint endpoint -> {
                spec.put("transport", endpoint.isSse() ? "sse" : "http");
                spec.put("endpoint", endpoint.url());
                values.put(spec, "headers", endpoint.headers());
            }
        }
        if (entry.isSuspended()) {
            spec.put("suspend", true);
        }
        filter(spec, "include", entry.include());
        filter(spec, "exclude", entry.exclude());
        entry.timeout().ifPresent(t -> spec.put("timeout", text(t)));
        entry.startupTimeout().ifPresent(t -> spec.put("startup_timeout", text(t)));
        return new ServerManifests(name, server, values.secret(), values.missing);
    }

    private static ObjectNode document(String apiVersion, String kind, String name) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", apiVersion).put("kind", kind);
        document.putObject("metadata").put("name", name);
        return document;
    }

    private static void program(ObjectNode spec, Launch.Program program, Values values) {
        spec.put("transport", "stdio");
        List<String> args = new ArrayList<>();
        if (!program.directory().isEmpty()) {
            spec.put("command", "sh");
            args.addAll(List.of("-c", "cd \"$0\" && exec \"$@\"", program.directory()));
            args.add(program.command());
        } else if (WORD.matcher(program.command()).matches()) {
            spec.put("command", program.command());
        } else {
            // The command of an McpServer is split at white space.
            spec.put("command", "sh");
            args.addAll(List.of("-c", "exec \"$0\" \"$@\"", program.command()));
        }
        args.addAll(program.args());
        args(spec, args);
        values.put(spec, "env", program.env());
    }

    private static void args(ObjectNode spec, List<String> args) {
        if (!args.isEmpty()) {
            args.forEach(spec.putArray("args")::add);
        }
    }

    private static void filter(ObjectNode spec, String field, List<String> names) {
        if (!names.isEmpty()) {
            names.forEach(spec.withObject("/tool_filter").putArray(field)::add);
        }
    }

    private static String text(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }

    /** Puts values into the server, or into its Secret. */
    private static final class Values {

        private final String server;
        private final String secretName;
        private final SecretPolicy policy;
        private final ObjectNode data = Json.MAPPER.createObjectNode();
        private final List<String> missing = new ArrayList<>();

        Values(String server, SecretPolicy policy) {
            this.server = server;
            this.secretName = secretName(server);
            this.policy = policy;
        }

        void put(ObjectNode spec, String field, List<ImportedSetting> settings) {
            if (settings.isEmpty()) {
                return;
            }
            ArrayNode list = spec.putArray(field);
            for (ImportedSetting setting : settings) {
                ObjectNode item = list.addObject().put("name", setting.name());
                switch (setting) {
                    case ImportedSetting.Plain plain -> item.put("value", plain.value());
                    case ImportedSetting.Confidential secret -> confidential(item, secret);
                    case ImportedSetting.Missing unknown -> {
                        String key = key(unknown.name());
                        item.put("secretRef", secretName + "/" + key);
                        missing.add(
                                "%s; put the value into key \"%s\" of the Secret \"%s\""
                                        .formatted(unknown.reason(), key, secretName));
                    }
                }
            }
        }

        private void confidential(ObjectNode item, ImportedSetting.Confidential secret) {
            switch (policy) {
                case INLINE -> item.put("value", secret.value());
                case CREATE -> {
                    String key = key(secret.name());
                    item.put("secretRef", secretName + "/" + key);
                    data.put(
                            key,
                            Base64.getEncoder()
                                    .encodeToString(
                                            secret.value().getBytes(StandardCharsets.UTF_8)));
                }
                case FAIL ->
                        throw new EntryException(
                                "%s is a secret; keep it out of the file, or use --secrets=create"
                                        .formatted(secret.name()));
            }
        }

        private static String key(String name) {
            return name.replaceAll("[^A-Za-z0-9._-]", "_");
        }

        Optional<ObjectNode> secret() {
            if (data.isEmpty()) {
                return Optional.empty();
            }
            ObjectNode secret = document(Secret.KIND.apiVersion(), Secret.KIND.name(), secretName);
            secret.withObject("/metadata/annotations").put(CREDENTIALS_OF, server);
            secret.putObject("spec").set("data", data);
            return Optional.of(secret);
        }
    }
}
