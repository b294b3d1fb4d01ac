package dev.orloj.cli.token;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates a token of a ServiceAccount, as kubectl does, or one of a user. */
public final class CreateTokenCommand extends Command {

    static final String USER_TOKENS = "/apis/orloj.dev/v1/usertokens";

    private static final Pattern DAYS = Pattern.compile("([0-9]{1,4})d");

    private final TextsOption arguments =
            arguments("0..1", "[SERVICEACCOUNT]", "The ServiceAccount, for programs.");
    private final TextOption user = text("USER", "Create a token of this user instead.", "--user");
    private final TextsOption groups =
            texts("GROUP", "A group of the user; may be repeated.", "--group");
    private final TextOption name =
            text("NAME", "Name of the token of a user, to revoke it by.", "--name");
    private final TextOption expires =
            text(
                    "DURATION",
                    "When it expires, such as 12h or 30d. Default: 1h for a ServiceAccount, 30d"
                            + " for a user.",
                    "--expires",
                    "--duration");
    private final TextsOption audiences =
            texts(
                    "AUDIENCE",
                    "Audience of the token of a ServiceAccount. Default: orlojd.",
                    "--audience");

    public CreateTokenCommand() {
        super(
                "Create a bearer token of a ServiceAccount, as kubectl does, or of a user.",
                "orlojctl create token builder --duration 1h",
                "orlojctl create token --user ann --group web --expires 30d");
    }

    @Override
    public int run(Context context) {
        List<String> accounts = arguments.get();
        if (accounts.isEmpty() == user.get().isEmpty()) {
            throw needs("either SERVICEACCOUNT or --user USER");
        }
        return accounts.isEmpty()
                ? ofUser(context, user.get().orElseThrow())
                : ofAccount(context, accounts.getFirst());
    }

    private int ofAccount(Context context, String account) {
        if (!groups.get().isEmpty() || name.get().isPresent()) {
            throw new UsageException("--group and --name are for the token of a --user");
        }
        ObjectNode spec = Json.MAPPER.createObjectNode();
        if (!audiences.get().isEmpty()) {
            put(spec, "audiences", audiences.get());
        }
        ResourceKey key = new ResourceKey(context.namespace(), account);
        ObjectNode answer =
                post(
                        context,
                        Paths.of(ServiceAccount.KIND, key) + "/token",
                        document("authentication.k8s.io/v1", "TokenRequest", spec));
        context.out().print(answer.at("/status/token").asString("") + "\n");
        return ExitCode.OK;
    }

    private int ofUser(Context context, String username) {
        if (!audiences.get().isEmpty()) {
            throw new UsageException("--audience is for the token of a SERVICEACCOUNT");
        }
        ObjectNode spec = Json.MAPPER.createObjectNode().put("user", username);
        put(spec, "groups", groups.get());
        ObjectNode wanted = document("orloj.dev/v1", "UserToken", spec);
        name.get().ifPresent(given -> wanted.putObject("metadata").put("name", given));
        ObjectNode answer = post(context, USER_TOKENS, wanted);
        context.out().print(answer.at("/status/token").asString("") + "\n");
        context.err()
                .println(
                        "This is token \"%s\" of user \"%s\", until %s. It is not shown again."
                                .formatted(
                                        answer.at("/metadata/name").asString(""),
                                        username,
                                        answer.at("/status/expirationTimestamp").asString("")));
        return ExitCode.OK;
    }

    private ObjectNode document(String apiVersion, String kind, ObjectNode spec) {
        lifetime().ifPresent(span -> spec.put("expirationSeconds", span.toSeconds()));
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", apiVersion).put("kind", kind).set("spec", spec);
        return document;
    }

    private Optional<Duration> lifetime() {
        Matcher days = DAYS.matcher(expires.orElse(""));
        return days.matches()
                ? Optional.of(Duration.ofDays(Long.parseLong(days.group(1))))
                : expires.duration();
    }

    private static void put(ObjectNode spec, String field, List<String> values) {
        ArrayNode array = spec.putArray(field);
        values.forEach(array::add);
    }

    private static ObjectNode post(Context context, String path, ObjectNode body) {
        return context.connection()
                .readObject(Request.of("POST", path, Json.MAPPER.writeValueAsBytes(body)));
    }
}
