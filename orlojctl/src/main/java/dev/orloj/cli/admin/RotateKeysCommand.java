package dev.orloj.cli.admin;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.admin.Keys.Key;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.Request;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Encrypts Secrets with a new key while the server runs. */
final class RotateKeysCommand extends Command {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final Flag noWait =
            flag("Return at once; orlojd continues in the background.", "--no-wait");
    private final TextOption timeout =
            text("TIME", "Maximum time to wait. Default: 10m.", "--timeout");
    private final TextsOption abandoned =
            texts(
                    "KEY",
                    "Continue without this lost key; the values that it protects"
                            + " stay unreadable.",
                    "--abandon");

    RotateKeysCommand() {
        super(
                "Encrypt Secrets with a new key, and protect it with the first key of the key"
                        + " file.",
                "orlojctl admin rotate-keys",
                "orlojctl admin rotate-keys --no-wait");
    }

    @Override
    public int run(Context context) {
        Duration longest = timeout.duration().orElse(TIMEOUT);
        ObjectNode key = Json.MAPPER.createObjectNode();
        key.put("apiVersion", "orloj.dev/v1").put("kind", "EncryptionKey");
        abandoned.get().forEach(key.putObject("spec").putArray("abandonedKeys")::add);
        String id =
                Json.MAPPER
                        .readTree(
                                context.connection()
                                        .read(
                                                Request.of(
                                                        "POST",
                                                        Keys.PATH,
                                                        Json.MAPPER.writeValueAsBytes(key))))
                        .at("/metadata/name")
                        .asString("");
        context.out().print("Values are encrypted with key \"" + id + "\" from now on.\n");
        return noWait.isSet()
                ? ExitCode.OK
                : await(context, context.console().clock().instant().plus(longest));
    }

    private static int await(Context context, Instant deadline) {
        long reported = -1;
        while (true) {
            List<Key> keys = Keys.list(context);
            long left =
                    keys.stream().filter(RotateKeysCommand::isRetired).mapToLong(Key::values).sum();
            if (keys.stream().noneMatch(RotateKeysCommand::isRetired)) {
                return report(context, keys);
            }
            if (left != reported) {
                context.err().println("%d values have older keys.".formatted(left));
                reported = left;
            }
            if (context.console().clock().instant().isAfter(deadline)) {
                context.err()
                        .println(
                                "orlojctl: not all values are encrypted again yet; orlojd goes on,"
                                        + " and orlojctl admin keys shows how far it is");
                return ExitCode.TIMEOUT;
            }
            pause();
        }
    }

    private static boolean isRetired(Key key) {
        return key.state().equals("Retired");
    }

    private static int report(Context context, List<Key> keys) {
        long lost =
                keys.stream()
                        .filter(key -> key.state().equals("Missing"))
                        .mapToLong(Key::values)
                        .sum();
        if (lost > 0) {
            context.err()
                    .println(
                            "orlojctl: %d values have keys that are missing and stay as they are; orlojctl admin keys shows which"
                                    .formatted(lost));
            return ExitCode.FAILED;
        }
        context.out().print("No value has an older key, and older keys are removed.\n");
        return ExitCode.OK;
    }

    private static void pause() {
        try {
            Thread.sleep(PERIOD);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted; orlojd continues in the background");
        }
    }
}
