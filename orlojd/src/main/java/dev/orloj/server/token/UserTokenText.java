package dev.orloj.server.token;

import dev.orloj.api.signature.Sha256;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;

/**
 * The text of a token of a user: a prefix by which scanners for secrets recognize it, 256 random
 * bits, and a checksum, so that a text that was never a token is refused without a look at the
 * database.
 */
final class UserTokenText {

    static final String PREFIX = "orlojt_";

    private static final String DIGITS =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int RANDOM_BITS = 256;
    private static final int RANDOM_LENGTH = 43;
    private static final int CHECKSUM_LENGTH = 6;

    private UserTokenText() {}

    static String create(SecureRandom random) {
        String body = PREFIX + digits(new BigInteger(RANDOM_BITS, random), RANDOM_LENGTH);
        return body + checksum(body);
    }

    static boolean isWellFormed(String token) {
        int end = PREFIX.length() + RANDOM_LENGTH;
        return token.length() == end + CHECKSUM_LENGTH
                && checksum(token.substring(0, end)).equals(token.substring(end));
    }

    static byte[] digest(String token) {
        return Sha256.digest(token);
    }

    private static String checksum(String body) {
        CRC32 crc = new CRC32();
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        return digits(BigInteger.valueOf(crc.getValue()), CHECKSUM_LENGTH);
    }

    private static String digits(BigInteger number, int length) {
        BigInteger base = BigInteger.valueOf(DIGITS.length());
        StringBuilder text = new StringBuilder();
        BigInteger rest = number;
        for (int i = 0; i < length; i++) {
            text.append(DIGITS.charAt(rest.mod(base).intValue()));
            rest = rest.divide(base);
        }
        return text.reverse().toString();
    }
}
