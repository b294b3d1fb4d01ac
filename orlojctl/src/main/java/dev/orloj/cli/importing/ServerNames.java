package dev.orloj.cli.importing;

import java.text.Normalizer;
import java.util.Locale;

/** Makes names of resources from those that people write. */
public final class ServerNames {

    private static final int MAX_LENGTH = 63;

    private ServerNames() {}

    /**
     * Returns a name of an McpServer: {@code @scope/My Server} is {@code scope-my-server}.
     *
     * @throws EntryException when nothing of the name can be used
     */
    public static String of(String written) {
        String plain =
                Normalizer.normalize(written, Normalizer.Form.NFKD)
                        .replaceAll("\\p{M}", "")
                        .toLowerCase(Locale.ROOT);
        String name = trim(plain.replaceAll("[^a-z0-9]+", "-"));
        if (name.length() > MAX_LENGTH) {
            name = trim(name.substring(0, MAX_LENGTH));
        }
        if (name.isEmpty()) {
            throw new EntryException(
                    "name \"%s\": has no letter from a to z and no digit; rename the entry"
                            .formatted(written));
        }
        return name;
    }

    /** Returns a name with something added to it, within the greatest length. */
    static String with(String name, String suffix) {
        int room = MAX_LENGTH - suffix.length() - 1;
        return trim(name.substring(0, Math.min(room, name.length()))) + "-" + suffix;
    }

    private static String trim(String text) {
        return text.replaceAll("^-+|-+$", "");
    }
}
