package dev.orloj.runtime.container.spec;

import java.util.Base64;

/**
 * A secret that a container reads from a file. {@code toString} does not show the content.
 *
 * @param path absolute path in the container
 * @param encoded the content in Base64, as in Secrets: any bytes, compared by value
 */
public record SecretFile(String path, String encoded) {

    public SecretFile {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("Path of a secret must be absolute: " + path);
        }
    }

    public byte[] content() {
        return Base64.getDecoder().decode(encoded);
    }

    @Override
    public String toString() {
        return "SecretFile[path=" + path + "]";
    }
}
