package dev.orloj.cli.config;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.kubeconfig.KubeconfigFile;

import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;

/** Adds a user, or changes one. */
final class SetCredentialsCommand extends KubeconfigCommand {

    private final TextsOption arguments = arguments("1", "NAME", "Name of the user.");
    private final TextOption token =
            text("TOKEN", "Bearer token; other users of this machine may see it.", "--token");
    private final TextOption certificate =
            text("FILE", "Certificate of the client, in PEM.", "--client-certificate");
    private final TextOption key = text("FILE", "Its private key, in PEM.", "--client-key");

    SetCredentialsCommand() {
        super(
                "Add a user, or change one.",
                "orlojctl config set-credentials me --token \"$TOKEN\"",
                "orlojctl config set-credentials me --client-certificate me.crt --client-key"
                        + " me.key");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        String name = arguments.get().getFirst();
        KubeconfigFile file = config.fileOf("users", name);
        ObjectNode entry = file.putEntry("users", name);
        token.get().ifPresent(text -> entry.put("token", text));
        put(entry, "client-certificate", certificate);
        put(entry, "client-key", key);
        save(file);
        context.out().print("User \"%s\" set.\n".formatted(name));
        return ExitCode.OK;
    }

    private static void put(ObjectNode entry, String field, TextOption option) {
        option.get()
                .ifPresent(
                        path -> {
                            entry.remove(field + "-data");
                            entry.put(field, Path.of(path).toAbsolutePath().toString());
                        });
    }
}
