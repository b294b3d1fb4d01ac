package dev.orloj.server.rest.http;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parses media types in {@code Accept} and {@code Content-Type}. */
public final class MediaTypes {

    public static final String JSON = "application/json";
    static final String YAML = "application/yaml";
    static final String MERGE_PATCH = "application/merge-patch+json";
    static final String APPLY_PATCH = "application/apply-patch+yaml";
    static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";

    private MediaTypes() {}

    /**
     * One media type.
     *
     * @param name lower case, such as {@code application/json}
     */
    public record MediaType(String name, Map<String, String> parameters) {

        static MediaType parse(String text) {
            String[] parts = text.split(";", -1);
            Map<String, String> parameters = new HashMap<>();
            for (int i = 1; i < parts.length; i++) {
                int sign = parts[i].indexOf('=');
                if (sign > 0) {
                    parameters.put(
                            parts[i].substring(0, sign).strip().toLowerCase(Locale.ROOT),
                            parts[i].substring(sign + 1).strip().replace("\"", ""));
                }
            }
            return new MediaType(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
        }

        public String parameter(String key) {
            return parameters.getOrDefault(key, "");
        }

        public boolean isJson() {
            return name.equals(JSON) || name.equals("application/*") || name.equals("*/*");
        }

        /** Whether it requests the resources in another form, such as {@code as=Table}. */
        public boolean isTransform() {
            return parameters.containsKey("as");
        }

        public boolean isTransform(String as, String group, String version) {
            return parameter("as").equals(as)
                    && parameter("g").equals(group)
                    && parameter("v").equals(version);
        }
    }

    /** The media types that a client accepts, in its order; JSON without a header. */
    public static List<MediaType> accepted(@Nullable String header) {
        List<MediaType> types = new ArrayList<>();
        for (String part :
                header == null || header.isBlank() ? new String[] {JSON} : header.split(",", -1)) {
            MediaType type = MediaType.parse(part);
            if (!type.parameter("q").equals("0")) {
                types.add(type);
            }
        }
        return types;
    }

    /**
     * @throws ApiException (NotAcceptable) when a client does not accept plain JSON
     */
    public static void requireJson(List<MediaType> accepted) {
        if (accepted.stream().noneMatch(type -> type.isJson() && !type.isTransform())) {
            throw notAcceptable(JSON);
        }
    }

    /** The type of a body; JSON without a header. */
    public static String contentType(@Nullable String header) {
        return header == null || header.isBlank() ? JSON : MediaType.parse(header).name();
    }

    public static ApiException notAcceptable(String... available) {
        return new ApiException(
                ErrorReason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + String.join(", ", available));
    }

    public static ApiException unsupported(String... understood) {
        return new ApiException(
                ErrorReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", understood));
    }
}
