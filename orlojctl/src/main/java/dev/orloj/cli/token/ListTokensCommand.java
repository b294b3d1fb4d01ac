package dev.orloj.cli.token;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.TablePrinter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Lists the tokens of users. */
final class ListTokensCommand extends Command {

    ListTokensCommand() {
        super("List the tokens of users, without their texts.", "orlojctl token list");
    }

    @Override
    public int run(Context context) {
        JsonNode items =
                Json.MAPPER
                        .readTree(
                                context.connection()
                                        .read(Request.get(CreateTokenCommand.USER_TOKENS)))
                        .path("items");
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("NAME", "USER", "GROUPS", "EXPIRES", "LAST USED", "CREATED BY"));
        for (JsonNode item : items) {
            lines.add(
                    List.of(
                            item.at("/metadata/name").asString(""),
                            item.at("/spec/user").asString(""),
                            String.join(
                                    ",",
                                    item.at("/spec/groups")
                                            .valueStream()
                                            .map(group -> group.asString(""))
                                            .toList()),
                            item.at("/status/expirationTimestamp").asString(""),
                            item.at("/status/lastUsedTime").asString("-"),
                            item.at("/status/createdBy").asString("")));
        }
        if (items.isEmpty()) {
            context.err().println("No tokens of users.");
            return ExitCode.OK;
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }
}
