package dev.orloj.cli.kubeconfig;

import dev.orloj.api.spelling.NearMiss;
import dev.orloj.cli.kubeconfig.ContextFiles.Entry;
import dev.orloj.cli.tls.TlsSettings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a context says: the server, the namespace and who one is.
 *
 * @param server its URL
 * @param http where clients on this machine reach the same server without TLS; empty if unknown
 * @param name of the context
 * @param file that it is in
 * @param namespace empty for the default one
 */
public record ContextSettings(
        String server,
        String http,
        String name,
        Path file,
        String namespace,
        Optional<String> token,
        TlsSettings tls) {

    /** How orlojd names its HTTP port in the kubeconfig of its owner. */
    private static final String HTTP = "orloj.dev/http";

    private static final long MAX_BYTES = 1024 * 1024;

    /**
     * Returns the settings of a context, or of the current one; empty when there is none.
     *
     * @param option the path of {@code --kubeconfig}
     * @param context its name; empty for the current one
     * @param withUser whether to read the credentials of its user; they are absent otherwise
     * @throws IllegalArgumentException when it does not exist or is incomplete
     */
    public static Optional<ContextSettings> find(
            Optional<String> option,
            Map<String, String> environment,
            String context,
            boolean withUser) {
        List<Path> paths = Kubeconfig.paths(option, environment);
        if (option.isPresent() && !Files.exists(paths.getFirst())) {
            throw new IllegalArgumentException(
                    "--kubeconfig: the file %s does not exist; orlojd writes one into its data directory"
                            .formatted(option.get()));
        }
        return find(paths, context, withUser);
    }

    /**
     * Returns what the kubeconfig of the owner says about the orlojd that has this HTTP port; empty
     * when there is none. Its HTTPS port proves which program answers before a credential is sent:
     * an HTTP port can be taken by another user as soon as orlojd has stopped.
     *
     * @throws IllegalArgumentException when the file cannot be read
     */
    public static Optional<ContextSettings> ofHttpPort(URI http, Map<String, String> environment) {
        for (Path file : Kubeconfig.ofThisMachine(environment)) {
            Optional<ContextSettings> found =
                    find(List.of(file), "", true)
                            .filter(
                                    settings ->
                                            !settings.http().isEmpty()
                                                    && isSamePort(
                                                            URI.create(settings.http()), http));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static boolean isSamePort(URI one, URI other) {
        return one.getPort() == other.getPort()
                && one.getScheme().equalsIgnoreCase(other.getScheme())
                && (one.getHost().equalsIgnoreCase(other.getHost())
                        || other.getHost().equalsIgnoreCase("localhost"));
    }

    private static Optional<ContextSettings> find(
            List<Path> paths, String context, boolean withUser) {
        ContextFiles config = ContextFiles.read(paths);
        String name = context.isEmpty() ? config.currentContext() : context;
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Entry entry =
                config.entry("contexts", name)
                        .orElseThrow(
                                () ->
                                        missing(
                                                "there is no context",
                                                name,
                                                config.names("contexts")));
        String clusterName = orEmpty(entry.text("cluster"));
        Entry cluster =
                config.entry("clusters", clusterName)
                        .orElseThrow(
                                () ->
                                        missing(
                                                "context \"%s\" names a cluster that is not there:"
                                                        .formatted(name),
                                                clusterName,
                                                config.names("clusters")));
        String server = cluster.text("server");
        if (server == null) {
            throw new IllegalArgumentException(
                    "cluster \"%s\" of %s has no server".formatted(clusterName, file(cluster)));
        }
        Optional<Entry> user =
                withUser ? config.entry("users", orEmpty(entry.text("user"))) : Optional.empty();
        return Optional.of(
                new ContextSettings(
                        server,
                        ContextFiles.extension(cluster.content(), HTTP)
                                .map(extension -> ContextFiles.text(extension, "server"))
                                .orElse(""),
                        name,
                        file(entry),
                        orEmpty(entry.text("namespace")),
                        user.flatMap(ContextSettings::token),
                        tls(cluster, user)));
    }

    private static IllegalArgumentException missing(String what, String name, List<String> known) {
        return new IllegalArgumentException(
                "%s \"%s\"%s"
                        .formatted(
                                what,
                                name,
                                NearMiss.of(name, known)
                                        .map("; did you mean \"%s\"?"::formatted)
                                        .orElse(
                                                known.isEmpty()
                                                        ? ""
                                                        : "; there are "
                                                                + String.join(", ", known))));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Path file(Entry entry) {
        return entry.file();
    }

    private static Optional<String> token(Entry user) {
        if (user.has("exec") || user.has("auth-provider")) {
            throw new IllegalArgumentException(
                    "a user of %s gets its credentials from a program, which orlojctl does not run; give a token with --api-token, or choose another context with --context"
                            .formatted(file(user)));
        }
        String path = user.text("tokenFile");
        // As kubectl: the file is the one that is kept up to date.
        return Optional.ofNullable(
                        path == null ? user.text("token") : read(user, path, "tokenFile").strip())
                .filter(token -> !token.isEmpty());
    }

    private static TlsSettings tls(Entry cluster, Optional<Entry> user) {
        return new TlsSettings(
                material(cluster, "certificate-authority"),
                user.map(u -> material(u, "client-certificate")).orElse(null),
                user.map(u -> material(u, "client-key")).orElse(null),
                cluster.text("tls-server-name"),
                "true".equals(cluster.text("insecure-skip-tls-verify")));
    }

    /** Reads PEM from the field with data, or from the file that the field names. */
    private static @Nullable String material(Entry entry, String field) {
        String data = entry.text(field + "-data");
        if (data != null) {
            try {
                return new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "%s-data in %s is not base64".formatted(field, file(entry)), e);
            }
        }
        String path = entry.text(field);
        return path == null ? null : read(entry, path, field);
    }

    private static String read(Entry entry, String path, String field) {
        try {
            Path file = file(entry).toAbsolutePath().resolveSibling(path);
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException("it is longer than %d bytes".formatted(MAX_BYTES));
            }
            return Files.readString(file);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    "%s of %s cannot be read: %s".formatted(field, file(entry), e.getMessage()), e);
        }
    }

    /** Returns the context and its file, for messages. */
    public String origin() {
        return "context \"%s\" of %s".formatted(name, file);
    }

    /** Returns whether there is something that proves who one is. */
    public boolean hasCredential() {
        return token.isPresent() || tls.certificate() != null;
    }

    @Override
    public String toString() {
        return origin(); // has a token in it
    }
}
