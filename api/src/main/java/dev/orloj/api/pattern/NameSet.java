package dev.orloj.api.pattern;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A set of names and patterns. Literal names are found without matching patterns. Thread-safe after
 * its creation.
 */
public final class NameSet {

    private final Set<String> names = new TreeSet<>();
    private final Set<NamePattern> patterns = new LinkedHashSet<>();

    /**
     * @param texts white space around them is ignored, as are empty ones
     */
    public NameSet(List<String> texts) {
        for (String text : texts) {
            NamePattern pattern = new NamePattern(text.strip());
            if (pattern.text().isEmpty()) {
                continue;
            }
            if (pattern.isLiteral()) {
                names.add(pattern.text());
            } else {
                patterns.add(pattern);
            }
        }
    }

    public boolean isEmpty() {
        return names.isEmpty() && patterns.isEmpty();
    }

    public boolean contains(String name) {
        return names.contains(name) || patterns.stream().anyMatch(pattern -> pattern.matches(name));
    }

    /** Returns the names and patterns that match none of the offered names, sorted. */
    public Set<String> unmatchedBy(Collection<String> offered) {
        Set<String> unmatched = new TreeSet<>(names);
        offered.forEach(unmatched::remove);
        patterns.stream()
                .filter(pattern -> offered.stream().noneMatch(pattern::matches))
                .map(NamePattern::text)
                .forEach(unmatched::add);
        return unmatched;
    }
}
