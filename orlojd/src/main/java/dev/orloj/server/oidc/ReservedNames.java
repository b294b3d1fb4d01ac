package dev.orloj.server.oidc;

/**
 * Names that no external issuer can give: roles of Kubernetes and of orlojd are bound to them, so
 * an issuer could otherwise make anyone an administrator.
 */
final class ReservedNames {

    private ReservedNames() {}

    static boolean has(String name) {
        return name.startsWith("system:") || name.startsWith("orloj:");
    }
}
