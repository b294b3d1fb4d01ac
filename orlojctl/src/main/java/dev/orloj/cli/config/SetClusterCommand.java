package dev.orloj.cli.config;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;

import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;

/** Adds a cluster, which is an orlojd, or changes one. */
final class SetClusterCommand extends KubeconfigCommand {

    private final TextsOption arguments = arguments("1", "NAME", "Name of the cluster.");
    private final TextOption authority =
            text("FILE", "Certificates to trust, in PEM.", "--certificate-authority");
    private final TextOption serverName =
            text("NAME", "The name in the certificate of the server.", "--tls-server-name");
    private final Flag insecure = flag("Accept any certificate.", "--insecure-skip-tls-verify");

    SetClusterCommand() {
        super(
                "Add an orlojd as a cluster, or change one; -s names its URL.",
                "orlojctl config set-cluster orloj --server https://orloj.example:8443",
                "orlojctl config set-cluster orloj --certificate-authority ca.pem");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        String name = arguments.get().getFirst();
        KubeconfigFile file = config.fileOf("clusters", name);
        ObjectNode entry = file.putEntry("clusters", name);
        context.namedServer().ifPresent(url -> entry.put("server", url));
        authority
                .get()
                .ifPresent(
                        path -> {
                            entry.remove("insecure-skip-tls-verify");
                            entry.put(
                                    "certificate-authority",
                                    Path.of(path).toAbsolutePath().toString());
                        });
        serverName.get().ifPresent(text -> entry.put("tls-server-name", text));
        if (insecure.isSet()) {
            entry.remove("certificate-authority");
            entry.remove("certificate-authority-data");
            entry.put("insecure-skip-tls-verify", true);
        }
        save(file);
        context.out().print("Cluster \"%s\" set.\n".formatted(name));
        return ExitCode.OK;
    }
}
