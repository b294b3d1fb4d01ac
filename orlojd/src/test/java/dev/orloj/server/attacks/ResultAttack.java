package dev.orloj.server.attacks;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A result of a call that attacks the model. */
record ResultAttack(JsonNode example) {

    private static final Pattern KIND = Pattern.compile("`result_policy` \\(`(\\w+)`\\)");

    static List<ResultAttack> all() {
        return AttackTable.examples("results").stream().map(ResultAttack::new).toList();
    }

    /** The kind of finding that the page names; empty if nothing finds it. */
    Optional<String> kind() {
        Matcher kind = KIND.matcher(AttackTable.stops(id()));
        return kind.find() && !example.has("passes")
                ? Optional.of(kind.group(1))
                : Optional.empty();
    }

    ObjectNode result() {
        return (ObjectNode) example.path("result");
    }

    String text() {
        return example.at("/result/content/0/text").asString();
    }

    /** What {@code strip} leaves of the text. */
    String stripped() {
        return example.path("stripped").asString();
    }

    /** The name of a server for this attack. */
    String server(String policy) {
        return "results/" + id().toLowerCase(Locale.ROOT) + "-" + policy;
    }

    private String id() {
        return example.path("id").asString();
    }

    @Override
    public String toString() {
        return id() + " " + example.path("what").asString();
    }
}
