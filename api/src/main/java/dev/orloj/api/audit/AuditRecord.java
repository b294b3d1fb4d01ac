package dev.orloj.api.audit;

import dev.orloj.api.signature.Sha256;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One event of the audit log in its chain. The hash is the SHA-256 of the previous hash, the
 * sequence and the event, one a line.
 *
 * @param sequence counts the events of a log from 1, without gaps
 * @param previousHash the hash of the record before, in hexadecimal; {@link #GENESIS} for the first
 * @param event the text of an Event of {@code audit.k8s.io/v1}, byte for byte
 */
public record AuditRecord(long sequence, String previousHash, String hash, String event) {

    /** Stands for the hash before the first record. */
    public static final String GENESIS = "0".repeat(64);

    private static final Pattern LINE =
            Pattern.compile(
                    "\\{\"sequence\":(\\d{1,18}),\"previousHash\":\"([0-9a-f]{64})\",\"hash\":\"([0-9a-f]{64})\",\"event\":(\\{.*\\})\\}",
                    Pattern.DOTALL);

    /** Returns the record that follows one with this sequence and hash. */
    public static AuditRecord after(long sequence, String hash, String event) {
        return new AuditRecord(sequence + 1, hash, digest(hash, sequence + 1, event), event);
    }

    /** Returns the hash that the record should have. */
    public String expectedHash() {
        return digest(previousHash, sequence, event);
    }

    private static String digest(String previousHash, long sequence, String event) {
        return Sha256.hex(previousHash + "\n" + sequence + "\n" + event);
    }

    /** Returns the record as a line of an export, without its end. */
    public String line() {
        return "{\"sequence\":%d,\"previousHash\":\"%s\",\"hash\":\"%s\",\"event\":%s}"
                .formatted(sequence, previousHash, hash, event);
    }

    /** Reads a line of an export; empty when it is something else. */
    public static Optional<AuditRecord> parse(String line) {
        Matcher parts = LINE.matcher(line);
        return parts.matches()
                ? Optional.of(
                        new AuditRecord(
                                Long.parseLong(parts.group(1)),
                                parts.group(2),
                                parts.group(3),
                                parts.group(4)))
                : Optional.empty();
    }
}
