package dev.orloj.server.canary;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Secret values by the place where each of them is, and the search for them. */
final class Canaries {

    private final Map<String, String> values = new TreeMap<>();

    /** Makes the value for a place, or returns it. */
    String of(String place) {
        return values.computeIfAbsent(
                place, _ -> "cnry" + UUID.randomUUID().toString().replace("-", ""));
    }

    /** Looks for a secret that others made, too. */
    void add(String place, String value) {
        if (value.length() < 16) {
            throw new IllegalArgumentException("too short to be looked for: " + place);
        }
        values.put(place, value);
    }

    /** Returns the places whose values a text contains in some form. */
    List<String> foundIn(String text) {
        List<String> found = new ArrayList<>();
        values.forEach(
                (place, value) -> {
                    if (forms(value).stream().anyMatch(text::contains)) {
                        found.add(place);
                    }
                });
        return found;
    }

    /** Plain, in hexadecimal digits, and in Base64 wherever in the encoded bytes it begins. */
    private static List<String> forms(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        List<String> forms = new ArrayList<>(List.of(value, HexFormat.of().formatHex(bytes)));
        for (int shift = 0; shift < 3; shift++) {
            byte[] shifted = new byte[shift + bytes.length];
            System.arraycopy(bytes, 0, shifted, shift, bytes.length);
            int whole = shifted.length / 3 * 4;
            int first = shift == 0 ? 0 : 4;
            forms.add(Base64.getEncoder().encodeToString(shifted).substring(first, whole));
            forms.add(Base64.getUrlEncoder().encodeToString(shifted).substring(first, whole));
        }
        return forms;
    }
}
