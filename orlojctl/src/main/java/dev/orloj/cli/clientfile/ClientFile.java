package dev.orloj.cli.clientfile;

import dev.orloj.api.codec.MalformedDocumentException;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The configuration of an MCP client as it is written.
 *
 * @param name the file for messages
 * @param path empty for standard input
 * @param client empty when it is not known
 * @param text the whole text, with the byte order mark if there is one
 */
public record ClientFile(
        String name,
        Optional<Path> path,
        Optional<ClientProgram> client,
        Syntax syntax,
        String text,
        ObjectNode root) {

    /** The largest file. Claude Code keeps its history in the file of its servers. */
    public static final long MAX_BYTES = 64L * 1024 * 1024;

    private static final char MARK = '\uFEFF';

    /**
     * Reads a file.
     *
     * @throws ClientFileException when it is missing, too large, or not in its language
     */
    public static ClientFile read(Path path, Optional<ClientProgram> client) {
        try {
            long size = Files.size(path);
            if (size > MAX_BYTES) {
                throw new ClientFileException(
                        "%s: the file has %d bytes; at most %d are read"
                                .formatted(path, size, MAX_BYTES));
            }
            return of(path.toString(), Optional.of(path), client, Files.readAllBytes(path));
        } catch (IOException e) {
            throw new ClientFileException(
                    "cannot read \"%s\": %s".formatted(path, FileErrors.reason(e)));
        }
    }

    /**
     * Parses a file.
     *
     * @throws ClientFileException when it is not in its language
     */
    public static ClientFile of(
            String name, Optional<Path> path, Optional<ClientProgram> client, byte[] bytes) {
        String text = decode(name, bytes);
        Syntax syntax = Syntax.of(name);
        return new ClientFile(name, path, client, syntax, text, parse(name, syntax, text));
    }

    /** Parses text, which may begin with a byte order mark. */
    static ObjectNode parse(String name, Syntax syntax, String text) {
        try {
            return syntax.parse(withoutMark(text));
        } catch (MalformedDocumentException e) {
            throw new ClientFileException(
                    "%s, line %d: %s; correct the file".formatted(name, e.line(), e.getMessage()));
        }
    }

    private static String withoutMark(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
    }

    private static String decode(String name, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new ClientFileException(name + ": the file is not UTF-8 text; save it as UTF-8");
        }
    }

    /** Returns the line of the first place where a quoted or bare name begins a member. */
    public int lineOf(String member) {
        int at = text.indexOf('"' + member + '"');
        int found = at < 0 ? text.indexOf(member) : at;
        return found < 0
                ? 1
                : 1 + (int) text.substring(0, found).chars().filter(c -> c == '\n').count();
    }

    public Notation notation() {
        return client.map(ClientProgram::notation).orElse(Notation.ANY);
    }
}
