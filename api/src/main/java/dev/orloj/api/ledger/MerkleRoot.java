package dev.orloj.api.ledger;

import dev.orloj.api.signature.Sha256;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The root hash of a Merkle tree of lines (RFC 6962, section 2.1). */
final class MerkleRoot {

    private static final byte LEAF = 0;
    private static final byte NODE = 1;

    private MerkleRoot() {}

    /** Returns the root in base64. */
    static String of(List<String> lines) {
        MessageDigest digest = Sha256.begin();
        List<byte[]> level = new ArrayList<>(lines.size());
        for (String line : lines) {
            digest.update(LEAF);
            level.add(digest.digest(line.getBytes(StandardCharsets.UTF_8)));
        }
        if (level.isEmpty()) {
            return Base64.getEncoder().encodeToString(digest.digest());
        }
        while (level.size() > 1) {
            List<byte[]> next = new ArrayList<>((level.size() + 1) / 2);
            for (int i = 0; i + 1 < level.size(); i += 2) {
                digest.update(NODE);
                digest.update(level.get(i));
                next.add(digest.digest(level.get(i + 1)));
            }
            if (level.size() % 2 == 1) {
                next.add(level.getLast()); // the split is at a power of two, so it goes up as it is
            }
            level = next;
        }
        return Base64.getEncoder().encodeToString(level.getFirst());
    }
}
