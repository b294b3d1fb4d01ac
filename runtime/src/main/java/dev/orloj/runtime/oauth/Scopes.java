package dev.orloj.runtime.oauth;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists of scopes (RFC 6749, 3.3). */
final class Scopes {

    private static final int MAX = 100;
    private static final Pattern TOKEN = Pattern.compile("[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,256}");

    private Scopes() {}

    /** Returns the valid scopes of a list that spaces separate. */
    static List<String> parse(String text) {
        return valid(Stream.of(text.split(" ", MAX + 1)));
    }

    /** Returns the valid ones, at most a hundred. */
    static List<String> valid(Stream<String> scopes) {
        return scopes.filter(each -> TOKEN.matcher(each).matches()).distinct().limit(MAX).toList();
    }

    /**
     * Returns what a client requests: the scopes of its manifest, else those that the server asks
     * for, else those that its metadata lists.
     */
    static List<String> usual(
            OAuthSettings settings, BearerChallenge challenge, Discovery.Plan plan) {
        if (!settings.scopes().isEmpty()) {
            return settings.scopes();
        }
        return challenge.scopes().isEmpty() ? plan.scopes() : challenge.scopes();
    }

    /** Returns all scopes of both lists, those of the first one first. */
    static List<String> union(Collection<String> some, Collection<String> more) {
        Set<String> all = new LinkedHashSet<>(some);
        all.addAll(more);
        return all.stream().limit(MAX).toList();
    }
}
