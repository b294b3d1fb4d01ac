package dev.orloj.api.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.signature.Ed25519Key;
import dev.orloj.api.signature.SignedNote;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the ledgers had come to at some time, signed: kept elsewhere, it shows whether entries were
 * removed or replaced since. The form is that of C2SP tlog-checkpoint; the leaves of the tree are
 * the lines of the ledgers, which follow as extension lines.
 *
 * @param origin names the ledgers: those of an orlojd, or of one of its namespaces
 * @param time when it was signed, as in RFC 3339
 * @param key that of its signature, as the checkpoint has it
 * @param heads in the order of namespaces and servers
 */
public record LedgerCheckpoint(
        String origin, String time, Ed25519Key key, List<Head> heads, SignedNote note) {

    private static final String ORIGIN = "orloj.dev/tool-ledgers";
    private static final String TIME = "time ";
    private static final String KEY = "key ";
    private static final String LEDGER = "ledger ";

    private static final Pattern LINE =
            Pattern.compile("(\\S+) (\\S+) ([1-9][0-9]{0,17}) (sha256:[0-9a-f]{64}) (\\S+)");

    public LedgerCheckpoint {
        heads = List.copyOf(heads);
    }

    /**
     * The newest entry of a ledger.
     *
     * @param at time of the entry, as in RFC 3339
     */
    public record Head(ResourceKey server, long sequence, String hash, String at) {

        private String line() {
            return "%s %s %d %s %s"
                    .formatted(server.namespace(), server.name(), sequence, hash, at);
        }

        private static Optional<Head> parse(String line) {
            Matcher parts = LINE.matcher(line);
            return parts.matches()
                    ? Optional.of(
                            new Head(
                                    new ResourceKey(parts.group(1), parts.group(2)),
                                    Long.parseLong(parts.group(3)),
                                    parts.group(4),
                                    parts.group(5)))
                    : Optional.empty();
        }
    }

    /**
     * Signs the heads of ledgers.
     *
     * @param namespace that of all heads; empty for those of all namespaces
     * @param heads in the order of namespaces and servers
     */
    public static LedgerCheckpoint sign(
            String namespace,
            List<Head> heads,
            Instant now,
            Ed25519Key key,
            SignedNote.Signer signer) {
        String origin = namespace.isEmpty() ? ORIGIN : ORIGIN + "/" + namespace;
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        StringBuilder text = new StringBuilder();
        text.append(origin).append('\n').append(heads.size()).append('\n');
        text.append(root(heads)).append('\n').append(TIME).append(time).append('\n');
        text.append(KEY).append(SignedNote.verifierKey(origin, key)).append('\n');
        heads.forEach(head -> text.append(LEDGER).append(head.line()).append('\n'));
        SignedNote note = SignedNote.sign(text.toString(), origin, key, signer);
        return new LedgerCheckpoint(origin, time, key, heads, note);
    }

    private static String root(List<Head> heads) {
        return MerkleRoot.of(heads.stream().map(Head::line).toList());
    }

    /** Reads a checkpoint; empty when the text is something else. */
    public static Optional<LedgerCheckpoint> parse(String text) {
        return SignedNote.parse(text).flatMap(LedgerCheckpoint::parse);
    }

    private static Optional<LedgerCheckpoint> parse(SignedNote note) {
        List<String> lines = note.text().lines().toList();
        boolean isCheckpoint =
                lines.size() >= 5
                        && (lines.getFirst().equals(ORIGIN)
                                || lines.getFirst().startsWith(ORIGIN + "/"))
                        && lines.get(3).startsWith(TIME)
                        && lines.get(4).startsWith(KEY);
        if (!isCheckpoint) {
            return Optional.empty();
        }
        Optional<Ed25519Key> key =
                SignedNote.parseVerifierKey(lines.get(4).substring(KEY.length()));
        List<Head> heads = new ArrayList<>();
        for (String line : lines.subList(5, lines.size())) {
            Optional<Head> head =
                    line.startsWith(LEDGER)
                            ? Head.parse(line.substring(LEDGER.length()))
                            : Optional.empty();
            if (head.isEmpty()) {
                return Optional.empty();
            }
            heads.add(head.get());
        }
        return key.map(
                known ->
                        new LedgerCheckpoint(
                                lines.getFirst(),
                                lines.get(3).substring(TIME.length()),
                                known,
                                heads,
                                note));
    }

    /** Returns whether the signature is that of its key, and the root that of its ledgers. */
    public boolean isSigned() {
        List<String> lines = note.text().lines().toList();
        return note.name().equals(origin)
                && lines.get(1).equals(Integer.toString(heads.size()))
                && lines.get(2).equals(root(heads))
                && note.isSignedBy(key);
    }

    /** Returns the namespace of all ledgers in it; empty if it has those of all namespaces. */
    public String namespace() {
        return origin.equals(ORIGIN) ? "" : origin.substring(ORIGIN.length() + 1);
    }

    /** Returns whether it has the ledgers of a namespace, if they were there. */
    public boolean covers(String namespace) {
        return namespace().isEmpty() || namespace().equals(namespace);
    }

    /** Returns the head of a ledger; empty if it had no entries then. */
    public Optional<Head> head(ResourceKey server) {
        return heads.stream().filter(head -> head.server().equals(server)).findFirst();
    }
}
