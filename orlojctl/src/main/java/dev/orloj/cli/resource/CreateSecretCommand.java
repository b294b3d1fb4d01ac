package dev.orloj.cli.resource;

import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.FileErrors;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;

/** Creates a secret. */
final class CreateSecretCommand extends Command {

    private final TextsOption arguments = arguments("1", "NAME", "Name of the secret.");
    private final TextsOption literals =
            texts(
                    "KEY=VALUE",
                    "A literal value; other users of this machine may see it.",
                    "--from-literal");
    private final TextsOption files =
            texts("[KEY=]FILE", "A value from a file; the key is its name.", "--from-file");
    private final TextOption type = text("TYPE", "Type of the secret. Default: Opaque.", "--type");

    CreateSecretCommand() {
        super(
                "Create a secret.",
                "orlojctl create secret mcp-api-key --from-literal value=abc123",
                "orlojctl create secret gmail-creds --from-file oauth_keys=keys.json");
    }

    @Override
    public int run(Context context) {
        String name = arguments.get().getFirst();
        ObjectNode secret =
                Json.MAPPER
                        .createObjectNode()
                        .put("apiVersion", Secret.KIND.apiVersion())
                        .put("kind", Secret.KIND.name());
        secret.putObject("metadata").put("name", name).put("namespace", context.namespace());
        ObjectNode spec = secret.putObject("spec").put("type", type.orElse("Opaque"));
        ObjectNode data = spec.putObject("data");
        for (String literal : literals.get()) {
            int sign = literal.indexOf('=');
            if (sign < 1) {
                throw new UsageException("--from-literal takes KEY=VALUE");
            }
            put(
                    data,
                    literal.substring(0, sign),
                    literal.substring(sign + 1).getBytes(StandardCharsets.UTF_8));
        }
        for (String file : files.get()) {
            putFile(data, file);
        }
        if (data.isEmpty()) {
            throw needs("--from-literal KEY=VALUE or --from-file FILE");
        }
        context.documents().create(Secret.KIND, context.namespace(), secret);
        context.out().print("secret.orloj.dev/" + name + " created\n");
        return ExitCode.OK;
    }

    private static void putFile(ObjectNode data, String argument) {
        int sign = argument.indexOf('=');
        String file = argument.substring(sign + 1);
        try {
            Path path = Path.of(file);
            String key =
                    sign > 0 ? argument.substring(0, sign) : String.valueOf(path.getFileName());
            put(data, key, Files.readAllBytes(path));
        } catch (IOException | InvalidPathException e) {
            throw new CommandException("cannot read \"" + file + "\": " + FileErrors.reason(e));
        }
    }

    private static void put(ObjectNode data, String key, byte[] value) {
        if (data.has(key)) {
            throw new UsageException("key \"" + key + "\" is given twice");
        }
        data.put(key, Base64.getEncoder().encodeToString(value));
    }
}
