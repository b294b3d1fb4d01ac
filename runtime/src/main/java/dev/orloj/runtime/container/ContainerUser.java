package dev.orloj.runtime.container;

/** Users of containers, as {@code docker run --user} takes them. */
final class ContainerUser {

    private ContainerUser() {}

    /** Whether the text, which may be empty, names root. */
    static boolean isRoot(String user) {
        String name = user.split(":", 2)[0].strip();
        return name.isEmpty() || name.equals("root") || name.matches("0+");
    }
}
