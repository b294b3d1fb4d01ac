package dev.orloj.cli.config;

import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A context, with a cluster and a user of the same name.
 *
 * @param authority the trusted certificate as PEM; empty for those of the system
 */
record ImportedContext(String name, String server, String authority) {

    private static final List<String> LISTS = List.of("clusters", "users", "contexts");
    private static final String AUTHORITY = "certificate-authority-data";

    /**
     * Adds it to the file that has it, or to the first.
     *
     * @throws CommandException when there is another of this name
     */
    KubeconfigFile put(Kubeconfig config, boolean isOverwriting) {
        KubeconfigFile file = config.fileOf("contexts", name);
        boolean isKnown = LISTS.stream().anyMatch(list -> config.entry(list, name).isPresent());
        if (isKnown && !isEffectiveIn(config, file)) {
            if (!isOverwriting) {
                throw new CommandException(
                        "there is another context, cluster or user \"%s\" in the configuration; give --name, or replace it with --overwrite; nothing was written"
                                .formatted(name));
            }
            // The credentials of one server must not reach another.
            LISTS.forEach(list -> file.removeEntry(list, name));
            if (LISTS.stream().anyMatch(list -> config.entry(list, name).isPresent())) {
                throw new CommandException(
                        "\"%s\" is in several files of the configuration; give --name; nothing was written"
                                .formatted(name));
            }
        }
        ObjectNode cluster = file.putEntry("clusters", name).put("server", server);
        if (!authority.isEmpty()) {
            cluster.put(AUTHORITY, data());
        }
        file.putEntry("users", name);
        file.putEntry("contexts", name).put("cluster", name).put("user", name);
        return file;
    }

    private String data() {
        return Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
    }

    /** Of entries with one name, that of the first file counts. */
    private boolean isEffectiveIn(Kubeconfig config, KubeconfigFile file) {
        return isIn(file)
                && LISTS.stream()
                        .allMatch(
                                list ->
                                        config.entry(list, name)
                                                .filter(e -> e.file().path().equals(file.path()))
                                                .isPresent());
    }

    private boolean isIn(KubeconfigFile file) {
        boolean isServer =
                file.entry("clusters", name)
                        .filter(c -> c.path("server").asString("").equals(server))
                        .filter(
                                c ->
                                        c.path(AUTHORITY)
                                                .asString("")
                                                .equals(authority.isEmpty() ? "" : data()))
                        .filter(c -> !c.has("insecure-skip-tls-verify"))
                        .filter(c -> !c.has("tls-server-name"))
                        .filter(c -> !c.has("certificate-authority"))
                        .isPresent();
        return isServer
                && file.entry("users", name).isPresent()
                && file.entry("contexts", name)
                        .filter(c -> c.path("cluster").asString("").equals(name))
                        .filter(c -> c.path("user").asString("").equals(name))
                        .isPresent();
    }

    /** Adds what is given; what is not given stays. */
    void putAccess(KubeconfigFile file, Optional<String> token, Optional<String> namespace) {
        token.ifPresent(
                text -> {
                    ObjectNode user = file.putEntry("users", name);
                    user.removeAll();
                    user.put("token", text);
                });
        namespace.ifPresent(text -> file.putEntry("contexts", name).put("namespace", text));
    }

    boolean hasCredential(KubeconfigFile file) {
        return file.entry("users", name).filter(user -> !user.isEmpty()).isPresent();
    }
}
