package dev.orloj.runtime.container.spec;

/**
 * The credentials for a registry. {@code toString} does not show the password.
 *
 * @param registry host, with a port if it has one; empty for the registry of the image
 */
public record RegistryCredential(String registry, String username, String password) {

    @Override
    public String toString() {
        return "RegistryCredential[registry=" + registry + ", username=" + username + "]";
    }
}
