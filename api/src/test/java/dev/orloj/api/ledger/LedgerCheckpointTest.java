package dev.orloj.api.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.signature.Ed25519Key;
import dev.orloj.api.signature.SignedNote;

import org.junit.jupiter.api.Test;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a checkpoint that was kept elsewhere shows of a ledger. */
class LedgerCheckpointTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ResourceKey SERVER = new ResourceKey("default", "s");

    private final KeyPair pair = pair();
    private final Ed25519Key key =
            new Ed25519Key(Base64.getEncoder().encodeToString(pair.getPublic().getEncoded()));

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance(Ed25519Key.ALGORITHM).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private byte[] sign(byte[] content) {
        try {
            Signature signature = Signature.getInstance(Ed25519Key.ALGORITHM);
            signature.initSign(pair.getPrivate());
            signature.update(content);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private LedgerCheckpoint signed(LedgerCheckpoint.Head... heads) {
        return LedgerCheckpoint.sign("", List.of(heads), NOW, key, this::sign);
    }

    private static LedgerCheckpoint.Head head(LedgerEntry entry) {
        return new LedgerCheckpoint.Head(SERVER, entry.sequence(), entry.hash(), entry.at());
    }

    private static List<LedgerEntry> chain(String... contents) {
        List<LedgerEntry> entries = new ArrayList<>();
        String hash = "";
        for (String content : contents) {
            LedgerEntry.Draft draft = new LedgerEntry.Draft(LedgerEntry.ENROLLED, LedgerEntry.TOOL);
            draft.tool(content, "s--" + content).content("sha256:" + content, Map.of());
            LedgerEntry entry = draft.after(entries.size(), hash, NOW);
            entries.add(entry);
            hash = entry.hash();
        }
        return entries;
    }

    private static List<String> problems(LedgerCheckpoint kept, List<LedgerEntry> entries) {
        LedgerVerification verification =
                new LedgerVerification(
                        Optional.empty(),
                        new LedgerVerification.Kept(
                                kept.head(SERVER), kept.time(), Optional.empty()));
        entries.forEach(verification::take);
        verification.end(entries.getLast().hash());
        return verification.problems();
    }

    @Test
    void checkpointIsReadAsItWasWritten() {
        LedgerCheckpoint.Head head = head(chain("a", "b").getLast());
        LedgerCheckpoint written = signed(head);
        String note = written.note().note();

        assertThat(LedgerCheckpoint.parse(note)).contains(written);
        assertThat(written.isSigned()).isTrue();
        assertThat(written.head(SERVER)).contains(head);
        assertThat(note.lines().toList())
                .hasSize(8)
                .startsWith("orloj.dev/tool-ledgers", "1")
                .contains(
                        "time 2026-01-01T00:00:00Z",
                        "ledger default s 2 " + head.hash() + " 2026-01-01T00:00:00Z");
        assertThat(signed().isSigned()).isTrue();
    }

    @Test
    void checkpointOfANamespaceCoversNoOther() {
        LedgerCheckpoint written = LedgerCheckpoint.sign("team", List.of(), NOW, key, this::sign);

        assertThat(written.namespace()).isEqualTo("team");
        assertThat(written.covers("team")).isTrue();
        assertThat(written.covers("default")).isFalse();
        assertThat(written.covers("")).isFalse();
        assertThat(signed().covers("default")).isTrue();
    }

    @Test
    void changedCheckpointIsNotSigned() {
        String note = signed(head(chain("a", "b").getLast())).note().note();

        assertThat(LedgerCheckpoint.parse(note.replace(" s 2 ", " s 1 ")))
                .get()
                .matches(changed -> !changed.isSigned());
        assertThat(LedgerCheckpoint.parse(note.replace("ledger default s", "else"))).isEmpty();
        assertThat(LedgerCheckpoint.parse("{}")).isEmpty();
    }

    /** The signature is right; the tree is that of other ledgers. */
    @Test
    void rootIsThatOfTheLedgers() {
        LedgerCheckpoint right = signed(head(chain("a").getLast()));
        String text = right.note().text();
        String root = text.lines().toList().get(2);
        SignedNote other =
                SignedNote.sign(
                        text.replace(root, signed().note().text().lines().toList().get(2)),
                        right.origin(),
                        key,
                        this::sign);

        assertThat(LedgerCheckpoint.parse(other.note())).get().matches(read -> !read.isSigned());
    }

    @Test
    void longerLedgerVerifies() {
        LedgerCheckpoint kept = signed(head(chain("a", "b").getLast()));

        assertThat(problems(kept, chain("a", "b"))).isEmpty();
        assertThat(problems(kept, chain("a", "b", "c"))).isEmpty();
    }

    @Test
    void cutTailIsFound() {
        assertThat(problems(signed(head(chain("a", "b").getLast())), chain("a")))
                .containsExactly(
                        "it ends with entry 1, but the checkpoint of 2026-01-01T00:00:00Z names"
                                + " entry 2: the newest entries were removed, or an older state was"
                                + " restored");
    }

    @Test
    void rewrittenChainIsFound() {
        assertThat(problems(signed(head(chain("a", "b").getLast())), chain("a", "x", "c")))
                .containsExactly(
                        "entry 2 is not the one that the checkpoint of 2026-01-01T00:00:00Z names:"
                                + " the ledger was rewritten, or an older state was restored and"
                                + " continued");
    }

    /** Merkle Tree Hashes of RFC 6962, computed by another program. */
    @Test
    void rootsOfSmallTrees() {
        assertThat(MerkleRoot.of(List.of()))
                .isEqualTo("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assertThat(MerkleRoot.of(List.of("a", "b", "c")))
                .isEqualTo("NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=");
        assertThat(MerkleRoot.of(List.of("a", "b", "c", "d", "e", "f")))
                .isEqualTo("4Gn8EuIxzP1FFr8WF5Rfs8zVzIkQ2S1iZSifCI93f90=");
    }
}
