package dev.orloj.cli.http;

import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;

import java.util.stream.Collectors;

/** The written forms of selectors. */
final class Selectors {

    private Selectors() {}

    static String text(LabelSelector selector) {
        return selector.requirements().stream()
                .map(Selectors::text)
                .collect(Collectors.joining(","));
    }

    private static String text(LabelSelector.Requirement requirement) {
        String values = String.join(",", requirement.values());
        return switch (requirement.operator()) {
            case IN -> requirement.key() + " in (" + values + ")";
            case NOT_IN -> requirement.key() + " notin (" + values + ")";
            case EXISTS -> requirement.key();
            case DOES_NOT_EXIST -> "!" + requirement.key();
            case GREATER_THAN -> requirement.key() + ">" + requirement.bound();
            case LESS_THAN -> requirement.key() + "<" + requirement.bound();
        };
    }

    static String text(FieldSelector selector) {
        return selector.requirements().stream()
                .map(r -> r.field() + (r.equal() ? "=" : "!=") + r.value())
                .collect(Collectors.joining(","));
    }
}
