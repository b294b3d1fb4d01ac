package dev.orloj.server.registry;

import java.util.random.RandomGenerator;

/** Generates names from a prefix that a client sent: {@code job-} becomes {@code job-x7k2p}. */
final class GeneratedNames {

    /** Has no vowels and no look-alikes, to avoid words and misreadings. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_LENGTH = 63;

    private final RandomGenerator random;

    GeneratedNames(RandomGenerator random) {
        this.random = random;
    }

    String next(String prefix) {
        int kept = Math.min(prefix.length(), MAX_LENGTH - SUFFIX_LENGTH);
        StringBuilder name = new StringBuilder(prefix.substring(0, kept));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
