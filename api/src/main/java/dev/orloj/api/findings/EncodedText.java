package dev.orloj.api.findings;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds base64 and hexadecimal text that decodes to readable text. Decodes at most {@link
 * #MAX_ENCODED} characters of a run, and one level.
 */
final class EncodedText {

    static final int MAX_ENCODED = 8 * 1024;

    private static final int SHORTEST = 20;
    private static final int SHORTEST_DECODED = 12;
    private static final int MAX_RUNS = 200;

    private static final List<String> COMMANDS =
            List.of(
                    "curl ",
                    "wget ",
                    "/bin/sh",
                    "/bin/bash",
                    "bash -c",
                    "sh -c",
                    "powershell",
                    "eval(",
                    "exec(",
                    "rm -rf",
                    "nc -e",
                    "chmod +x",
                    "base64 -d",
                    "python -c",
                    "<script",
                    "| sh",
                    "|sh",
                    "| bash",
                    "|bash",
                    "import os",
                    "invoke-expression",
                    "child_process");

    private EncodedText() {}

    static void examine(DefinitionText text, FindingList findings) {
        String raw = text.text();
        int start = 0;
        int runs = 0;
        for (int i = 0; i <= raw.length() && runs < MAX_RUNS; i++) {
            if (i < raw.length() && isEncoding(raw.charAt(i))) {
                continue;
            }
            if (i - start >= SHORTEST && isRandom(raw, start, i)) {
                runs++;
                decode(
                        raw.substring(start, Math.min(i, start + MAX_ENCODED)),
                        text,
                        start,
                        i,
                        findings);
            }
            start = i + 1;
        }
    }

    private static boolean isEncoding(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || c == '+'
                || c == '/'
                || c == '='
                || c == '-'
                || c == '_';
    }

    /** Ordinary words and paths have no digits or no capitals. */
    private static boolean isRandom(String raw, int start, int end) {
        boolean upper = false;
        boolean lower = false;
        boolean digit = false;
        for (int i = start; i < end; i++) {
            char c = raw.charAt(i);
            upper |= c >= 'A' && c <= 'Z';
            lower |= c >= 'a' && c <= 'z';
            digit |= c >= '0' && c <= '9';
        }
        return digit || upper && lower;
    }

    private static void decode(
            String run, DefinitionText text, int start, int end, FindingList findings) {
        Optional<String> decoded = base64(run).or(() -> hexadecimal(run));
        if (decoded.isEmpty()) {
            return;
        }
        boolean acts = acts(decoded.get());
        findings.add(
                acts ? FindingRule.ENCODED_PAYLOAD : FindingRule.ENCODED_TEXT,
                text,
                start,
                end,
                "Encoded text that says \"%s\""
                        .formatted(
                                Excerpt.escape(
                                        decoded.get()
                                                .substring(
                                                        0,
                                                        Math.min(120, decoded.get().length())))));
    }

    private static boolean acts(String decoded) {
        String lower = decoded.toLowerCase(Locale.ROOT);
        return COMMANDS.stream().anyMatch(lower::contains) || Directives.isSevere(decoded);
    }

    private static Optional<String> base64(String run) {
        String plain = run.replace('-', '+').replace('_', '/');
        int padding = plain.indexOf('=');
        String body = padding < 0 ? plain : plain.substring(0, padding);
        String whole = body.substring(0, body.length() - (body.length() % 4 == 1 ? 1 : 0));
        try {
            return readable(Base64.getDecoder().decode(whole));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> hexadecimal(String run) {
        String digits = run.startsWith("0x") ? run.substring(2) : run;
        String even = digits.substring(0, digits.length() - digits.length() % 2);
        for (int i = 0; i < even.length(); i++) {
            if (Character.digit(even.charAt(i), 16) < 0) {
                return Optional.empty();
            }
        }
        return readable(HexFormat.of().parseHex(even));
    }

    /** Returns the bytes as text if people could read it. */
    private static Optional<String> readable(byte[] bytes) {
        if (bytes.length < SHORTEST_DECODED) {
            return Optional.empty();
        }
        String text;
        try {
            text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(bytes))
                            .toString();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
        boolean isText =
                text.chars()
                        .allMatch(
                                c ->
                                        c >= ' ' && c < 0x7f
                                                || c == '\n'
                                                || c == '\t'
                                                || c > 0x9f && Character.isLetter(c));
        return isText ? Optional.of(text) : Optional.empty();
    }
}
