package dev.orloj.cli.mcpserver;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Console;
import dev.orloj.cli.output.Progress;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a {@code server.json} from a file, a URL, or a registry that speaks the registry API. */
final class RegistryClient {

    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int NOT_FOUND = 404;
    private static final String API = "/v0.1/servers/";

    private final Optional<String> registry;
    private final Console console;

    /**
     * @param registry the URL of the registry; empty when none is configured
     * @param console shows the progress
     */
    RegistryClient(Optional<String> registry, Console console) {
        this.console = console;
        this.registry = registry;
    }

    /** Returns whether a text names a server here, rather than being the name of a new one. */
    static boolean isSource(String text) {
        return text.contains("/") || text.endsWith(".json");
    }

    /**
     * Reads the description of a server.
     *
     * @param source a file, a URL, or a name such as {@code io.github.x/y} or {@code
     *     io.github.x/y@1.0.0}
     * @throws CommandException when it cannot be read
     */
    ObjectNode read(String source) {
        if (source.startsWith("http://") || source.startsWith("https://")) {
            return parse(source, fetch(uri(source)));
        }
        Path file = Path.of(source);
        if (Files.exists(file)) {
            return file(file);
        }
        if (!source.matches("[A-Za-z0-9][A-Za-z0-9.-]*/[A-Za-z0-9._-]+(@[A-Za-z0-9._+-]+)?")) {
            throw new CommandException(
                    "no file \"%s\", and no name such as io.github.user/server".formatted(source));
        }
        int at = source.indexOf('@');
        String name = at < 0 ? source : source.substring(0, at);
        String version = at < 0 ? "latest" : source.substring(at + 1);
        String base =
                registry.orElseThrow(
                                () ->
                                        new UsageException(
                                                "no registry is configured for \"%s\": set ORLOJ_REGISTRY, or give --registry https://registry.modelcontextprotocol.io"
                                                        .formatted(source)))
                        .replaceFirst("/+$", "");
        String url = base + API + encode(name) + "/versions/" + encode(version);
        return parse(url, fetch(uri(url)));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static URI uri(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null && String.valueOf(uri.getScheme()).startsWith("http")) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw new UsageException(
                "\"%s\" is no URL such as https://registry.modelcontextprotocol.io"
                        .formatted(text));
    }

    private static ObjectNode file(Path file) {
        try {
            return ClientFile.read(file, Optional.empty()).root();
        } catch (ClientFileException e) {
            throw new CommandException(e.getMessage());
        }
    }

    private static ObjectNode parse(String source, byte[] bytes) {
        try {
            return ClientFile.of(source + "#.json", Optional.empty(), Optional.empty(), bytes)
                    .root();
        } catch (ClientFileException e) {
            throw new CommandException("%s is no server.json: expected JSON".formatted(source));
        }
    }

    private byte[] fetch(URI uri) {
        try (Progress progress = console.progress()) {
            progress.show(Progress.reading(uri.toString()));
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setRequestProperty("Accept", "application/json");
            connection.setRequestProperty("User-Agent", "orlojctl");
            int status = connection.getResponseCode();
            if (status == NOT_FOUND) {
                throw new CommandException("%s does not exist (HTTP 404)".formatted(uri));
            }
            if (status != HttpURLConnection.HTTP_OK) {
                throw new CommandException("%s answered with HTTP %d".formatted(uri, status));
            }
            try (InputStream in = connection.getInputStream()) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new CommandException(
                            "%s has more than %d bytes".formatted(uri, MAX_BYTES));
                }
                return bytes;
            }
        } catch (IOException e) {
            throw new CommandException("cannot read %s: %s".formatted(uri, e.getMessage()));
        }
    }
}
