package dev.orloj.runtime.container;

/**
 * A secret that a container reads from a file. {@code toString} does not show the content.
 *
 * @param path absolute, inside the container
 */
public record SecretFile(String path, String content) {

    public SecretFile {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("Path of a secret must be absolute: " + path);
        }
    }

    @Override
    public String toString() {
        return "SecretFile[path=" + path + "]";
    }
}
