package dev.orloj.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Selects resources by the few fields that their kind declares selectable: {@code
 * metadata.name=x,type!=Normal}. An absent field compares as the empty text.
 */
public record FieldSelector(List<Requirement> requirements) {

    /** Selects everything. */
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    /** One comparison. */
    public record Requirement(String field, boolean equal, String value) {}

    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    public static FieldSelector ofName(String name) {
        return new FieldSelector(List.of(new Requirement("metadata.name", true, name)));
    }

    /**
     * Parses the written form. The empty text selects everything.
     *
     * @throws ApiException (BadRequest) naming the part that cannot be parsed
     */
    public static FieldSelector parse(String text) {
        List<Requirement> found = new ArrayList<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int sign = part.indexOf('=');
            if (sign < 1) {
                throw malformed(text, part);
            }
            boolean equal = part.charAt(sign - 1) != '!';
            String field = part.substring(0, equal ? sign : sign - 1).strip();
            if (field.isEmpty()) {
                throw malformed(text, part);
            }
            int value = part.startsWith("==", sign) ? sign + 2 : sign + 1;
            found.add(new Requirement(field, equal, part.substring(value).strip()));
        }
        return new FieldSelector(found);
    }

    private static ApiException malformed(String text, String part) {
        return ApiException.badRequest(
                "invalid field selector \"%s\" at \"%s\": expected field=value or field!=value"
                        .formatted(text, part));
    }

    /** Returns whether the selectable fields of a resource satisfy all requirements. */
    public boolean matches(Map<String, String> fields) {
        return requirements.stream()
                .allMatch(r -> r.equal() == fields.getOrDefault(r.field(), "").equals(r.value()));
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }
}
