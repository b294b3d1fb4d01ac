package dev.orloj.server.acceptance;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Where two JSON values differ, as paths: a report of whole documents would be pages long. */
final class Differences {

    private final List<String> found = new ArrayList<>();

    private Differences() {}

    /** Empty when they are the same value; the order of members is no part of it. */
    static List<String> between(JsonNode expected, JsonNode actual) {
        Differences differences = new Differences();
        differences.compare("", expected, actual);
        return List.copyOf(differences.found);
    }

    private void compare(String path, JsonNode expected, JsonNode actual) {
        if (expected.isObject() && actual.isObject()) {
            Set<String> names = new LinkedHashSet<>(expected.propertyNames());
            names.addAll(actual.propertyNames());
            names.forEach(
                    name -> compare(path + "/" + name, expected.path(name), actual.path(name)));
        } else if (expected.isArray() && actual.isArray()) {
            for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
                compare(path + "/" + i, expected.path(i), actual.path(i));
            }
        } else if (!expected.equals(actual)) {
            found.add("%s: expected %s, got %s".formatted(path, text(expected), text(actual)));
        }
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "nothing" : value.toString();
    }
}
