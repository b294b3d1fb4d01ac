package dev.orloj.runtime.container.spec;

import java.util.OptionalInt;

/**
 * The user that the program of a container runs as.
 *
 * @param text in the engine's format: {@code uid}, {@code uid:gid} or a name of the image
 * @param uid empty when it is not known
 */
public record ContainerUser(String text, OptionalInt uid) {

    /** A user without privileges in any image. */
    public static final ContainerUser UNPRIVILEGED = numeric(ContainerIsolation.UNPRIVILEGED);

    /**
     * Creates a user from numbers. Without a gid, the group gets the number of the user: the engine
     * would use root's group unless the image lists the uid.
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

    /** Returns the user without the group. */
    public static String name(String text) {
        return text.split(":", 2)[0].strip();
    }

    public static boolean isNumeric(String text) {
        return name(text).matches("\\d{1,9}");
    }
}
