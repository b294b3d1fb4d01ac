package dev.orloj.api.policy;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The full name of an image, as a container engine reads it.
 *
 * @param repository with the registry, which is {@code docker.io} if none is given
 * @param tag empty if none is given
 * @param digest with its algorithm; empty if none is given
 */
record ImageReference(String repository, String tag, String digest) {

    private static final Pattern ID = Pattern.compile("[0-9a-fA-F]+|sha256:[0-9a-fA-F]+");
    private static final Pattern REGISTRY = Pattern.compile("[a-z0-9.-]+(?::[0-9]{1,5})?");
    private static final Pattern PATH =
            Pattern.compile("[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*");
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    /** Returns empty for the id of an image, and for text that is no reference. */
    static Optional<ImageReference> parse(String text) {
        if (ID.matcher(text).matches()) {
            return Optional.empty();
        }
        ImageReference split = split(text);
        int slash = split.repository.indexOf('/');
        boolean valid =
                REGISTRY.matcher(split.repository.substring(0, slash)).matches()
                        && PATH.matcher(split.repository.substring(slash + 1)).matches()
                        && (split.tag.isEmpty() || TAG.matcher(split.tag).matches())
                        && (!text.contains("@") || DIGEST.matcher(split.digest).matches());
        return valid ? Optional.of(split) : Optional.empty();
    }

    /** Splits a reference or a pattern for references, and adds the default registry. */
    static ImageReference split(String text) {
        int at = text.indexOf('@');
        String named = at < 0 ? text : text.substring(0, at);
        String digest = at < 0 ? "" : text.substring(at + 1);
        int colon = named.lastIndexOf(':');
        boolean tagged = colon > named.lastIndexOf('/');
        String repository = tagged ? named.substring(0, colon) : named;
        return new ImageReference(
                full(repository), tagged ? named.substring(colon + 1) : "", digest);
    }

    private static String full(String repository) {
        int slash = repository.indexOf('/');
        if (slash < 0) {
            return "docker.io/library/" + repository;
        }
        String first = repository.substring(0, slash);
        String rest = repository.substring(slash + 1);
        boolean registry =
                first.contains(".")
                        || first.contains(":")
                        || first.equals("localhost")
                        || !first.equals(first.toLowerCase(Locale.ROOT));
        if (!registry) {
            return "docker.io/" + repository;
        }
        String host = first.toLowerCase(Locale.ROOT);
        if (host.equals("docker.io") || host.equals("index.docker.io")) {
            return "docker.io/" + (rest.contains("/") ? rest : "library/" + rest);
        }
        return host + "/" + rest;
    }

    /**
     * Returns whether a pattern matches. Without a tag or digest in the pattern, all tags and
     * digests do. Where a reference has a digest, its tag decides nothing.
     */
    boolean matches(String pattern) {
        ImageReference wanted = split(pattern);
        if (!Glob.matches(wanted.repository, repository)) {
            return false;
        }
        if (!wanted.digest.isEmpty()) {
            return wanted.digest.equals(digest);
        }
        return wanted.tag.isEmpty()
                || digest.isEmpty() && Glob.matches(wanted.tag, tag.isEmpty() ? "latest" : tag);
    }
}
