package dev.orloj.cli.importing;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Decides whether a value is a secret, from its name and from how it looks. */
final class Confidentiality {

    private static final Set<String> WORDS =
            Set.of(
                    "token",
                    "tokens",
                    "secret",
                    "secrets",
                    "password",
                    "passwd",
                    "passphrase",
                    "pass",
                    "pwd",
                    "key",
                    "apikey",
                    "authorization",
                    "auth",
                    "credential",
                    "credentials",
                    "pat",
                    "bearer",
                    "cookie",
                    "dsn");

    /** The last words of names that say where a secret is, or something about it. */
    private static final Set<String> ABOUT =
            Set.of("file", "path", "dir", "url", "uri", "type", "name", "mode", "host", "port");

    private static final Pattern WORD_ENDS = Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])");
    private static final Pattern KNOWN =
            Pattern.compile(
                    "(gh[pousr]_|github_pat_|glpat-|sk-|sk_live_|xox[abprs]-|AKIA|AIza|eyJ|hf_|npm_|ntn_|lin_api_).{8,}|-----BEGIN"
                        + " .*",
                    Pattern.DOTALL);
    private static final Pattern DENSE = Pattern.compile("[A-Za-z0-9+/=_~-]{24,}");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final double MIN_ENTROPY = 3.5;

    private Confidentiality() {}

    static boolean isSecret(String name, String value) {
        if (value.isBlank() || value.equals("true") || value.equals("false")) {
            return false;
        }
        return named(name) && !isSmallNumber(value) || looksLikeOne(value);
    }

    /** Returns whether the text itself looks like a secret. */
    static boolean looksLikeOne(String value) {
        return KNOWN.matcher(value).matches() || hasPassword(value) || isDense(value);
    }

    /** Returns whether a name is one that secrets have. */
    static boolean named(String name) {
        String[] words = WORD_ENDS.split(name);
        boolean isAbout =
                words.length > 0
                        && ABOUT.contains(words[words.length - 1].toLowerCase(Locale.ROOT));
        return !isAbout
                && Arrays.stream(words).anyMatch(w -> WORDS.contains(w.toLowerCase(Locale.ROOT)));
    }

    private static boolean isSmallNumber(String value) {
        return value.length() < 6 && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean hasPassword(String value) {
        if (!value.contains("://") || !value.contains("@")) {
            return false;
        }
        try {
            String user = new URI(value.strip()).getRawUserInfo();
            return user != null && user.contains(":");
        } catch (URISyntaxException e) {
            return value.matches("[a-z+.-]+://[^/@:]*:[^/@]+@.*");
        }
    }

    private static boolean isDense(String value) {
        return DENSE.matcher(value).matches()
                && !UUID.matcher(value).matches()
                && value.chars().anyMatch(c -> c >= '0' && c <= '9')
                && value.chars().anyMatch(Character::isLetter)
                && value.indexOf('/') < 0
                && entropy(value) >= MIN_ENTROPY;
    }

    /** Returns the bits of a character. */
    private static double entropy(String value) {
        int[] counts = new int[128];
        value.chars().forEach(c -> counts[c]++);
        double bits = 0;
        for (int count : counts) {
            if (count > 0) {
                double share = (double) count / value.length();
                bits -= share * Math.log(share) / Math.log(2);
            }
        }
        return bits;
    }
}
