package dev.orloj.runtime.container.spec;

import java.util.OptionalInt;

/**
 * Whom the program of a container runs as.
 *
 * @param text as the engine takes it: {@code uid}, {@code uid:gid} or a name of the image
 * @param uid empty when nobody knows it
 */
public record ContainerUser(String text, OptionalInt uid) {

    /** Whoever is nobody in any image. */
    public static final ContainerUser UNPRIVILEGED = numeric(ContainerIsolation.UNPRIVILEGED);

    /**
     * Without a gid the group has the number of the user: left to the engine it is root's, unless
     * the image lists the uid.
     *
     * @param text {@code uid} or {@code uid:gid}
     */
    public static ContainerUser numeric(String text) {
        String uid = name(text);
        boolean hasGroup = text.strip().length() > uid.length() + 1;
        return new ContainerUser(
                hasGroup ? text : uid + ":" + uid, OptionalInt.of(Integer.parseInt(uid)));
    }

    public boolean isRoot() {
        return uid.equals(OptionalInt.of(0));
    }

    /** Without the group. */
    public static String name(String text) {
        return text.split(":", 2)[0].strip();
    }

    public static boolean isNumeric(String text) {
        return name(text).matches("\\d{1,9}");
    }
}
