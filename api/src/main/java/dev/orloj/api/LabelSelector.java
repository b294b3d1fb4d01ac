package dev.orloj.api;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Selects resources by their labels: {@code app=web,tier in (front,back),!legacy}. All requirements
 * must match.
 */
public record LabelSelector(List<Requirement> requirements) {

    /** Selects everything. */
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private static final String KEY = "[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?";
    private static final Pattern VALUE =
            Pattern.compile("(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern REQUIREMENT =
            Pattern.compile(
                    "\\s*(?:(?<set>%1$s)\\s+(?<op>in|notin)\\s*\\((?<values>[^()]*)\\)"
                                    .formatted(KEY)
                            + "|(?<eq>%1$s)\\s*(?<sign>==|=|!=)\\s*(?<value>[^,()\\s!=]*)"
                                    .formatted(KEY)
                            + "|(?<number>%1$s)\\s*(?<than>[<>])\\s*(?<bound>-?\\d{1,18})"
                                    .formatted(KEY)
                            + "|(?<absent>!?)\\s*(?<key>%1$s))\\s*(?:,|$)".formatted(KEY));

    /** How the value of a label is compared. */
    public enum Operator {
        IN,
        /** Also matches when the label is absent. */
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        /** Matches whole numbers only. */
        GREATER_THAN,
        /** Matches whole numbers only. */
        LESS_THAN
    }

    /** One requirement for one label. */
    public record Requirement(String key, Operator operator, List<String> values) {

        public Requirement {
            values = List.copyOf(values);
        }

        /** Returns the number to compare with. */
        public long bound() {
            return Long.parseLong(values.getFirst());
        }

        private static boolean isNumber(@Nullable String value) {
            return value != null && NUMBER.matcher(value).matches();
        }

        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER_THAN -> isNumber(value) && Long.parseLong(value) > bound();
                case LESS_THAN -> isNumber(value) && Long.parseLong(value) < bound();
            };
        }
    }

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    public static LabelSelector ofLabel(String key, String value) {
        return new LabelSelector(List.of(new Requirement(key, Operator.IN, List.of(value))));
    }

    /**
     * Parses the written form. The empty text selects everything.
     *
     * @throws ApiException (BadRequest) naming the part that cannot be parsed
     */
    public static LabelSelector parse(String text) {
        List<Requirement> found = new ArrayList<>();
        Matcher matcher = REQUIREMENT.matcher(text);
        int at = 0;
        boolean more = !text.isBlank();
        while (more) {
            matcher.region(at, text.length());
            if (!matcher.lookingAt()) {
                throw ApiException.badRequest(
                        "unable to parse labelSelector \"%s\" at \"%s\": expected key, !key, key=value, key!=value,"
                                        .formatted(text, text.substring(at))
                                + " key in (a,b), key notin (a,b), key>1 or key<1, separated by"
                                + " commas");
            }
            found.add(requirement(matcher, text));
            at = matcher.end();
            more = text.startsWith(",", at - 1);
        }
        return new LabelSelector(found);
    }

    private static Requirement requirement(Matcher part, String text) {
        if (part.group("set") != null) {
            List<String> values = new ArrayList<>();
            for (String value : part.group("values").split(",", -1)) {
                values.add(checkedValue(value.strip(), text));
            }
            Operator operator = part.group("op").equals("in") ? Operator.IN : Operator.NOT_IN;
            return new Requirement(part.group("set"), operator, values);
        }
        if (part.group("eq") != null) {
            Operator operator = part.group("sign").equals("!=") ? Operator.NOT_IN : Operator.IN;
            return new Requirement(
                    part.group("eq"), operator, List.of(checkedValue(part.group("value"), text)));
        }
        if (part.group("number") != null) {
            Operator than =
                    part.group("than").equals(">") ? Operator.GREATER_THAN : Operator.LESS_THAN;
            return new Requirement(part.group("number"), than, List.of(part.group("bound")));
        }
        Operator operator =
                part.group("absent").isEmpty() ? Operator.EXISTS : Operator.DOES_NOT_EXIST;
        return new Requirement(part.group("key"), operator, List.of());
    }

    private static String checkedValue(String value, String text) {
        if (!VALUE.matcher(value).matches()) {
            throw ApiException.badRequest(
                    "unable to parse labelSelector \"%s\": \"%s\" is not a label value"
                            .formatted(text, value));
        }
        return value;
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(r -> r.matches(labels));
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }
}
