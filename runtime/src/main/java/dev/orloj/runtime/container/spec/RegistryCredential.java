package dev.orloj.runtime.container.spec;

/**
 * Who asks a registry for an image. {@code toString} does not show the password.
 *
 * @param registry host, with a port if it has one; empty for the registry of the image, whichever
 *     that is
 */
public record RegistryCredential(String registry, String username, String password) {

    @Override
    public String toString() {
        return "RegistryCredential[registry=" + registry + ", username=" + username + "]";
    }
}
