package dev.orloj.cli.auth;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.output.TextTable;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows which McpServers have the login of a user. */
final class AuthStatusCommand extends Command {

    private static final List<TextTable.Column> COLUMNS =
            List.of(
                    new TextTable.Column("server", false),
                    new TextTable.Column("login", false),
                    new TextTable.Column("issuer", false),
                    new TextTable.Column("scopes", false),
                    new TextTable.Column("since", false),
                    new TextTable.Column("expires", false),
                    new TextTable.Column("client", true),
                    new TextTable.Column("secret", true),
                    new TextTable.Column("message", true));

    private final TextsOption arguments =
            arguments("0..*", "[SERVER...]", "Default: those of the namespace with a login.");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final TextOption output =
            text("FORMAT", "table, wide, json, yaml or name.", "-o", "--output");

    /** One server, and its login. */
    private record Login(ResourceKey server, Authorization authorization) {}

    AuthStatusCommand() {
        super(
                "Show which McpServers a user has logged in at.",
                "orlojctl auth status",
                "orlojctl auth status crm -o yaml");
    }

    @Override
    public int run(Context context) {
        Format format = Format.parse(output.orElse("table"));
        if (everywhere.isSet() && !arguments.get().isEmpty()) {
            throw new UsageException("--all-namespaces and a SERVER exclude each other");
        }
        List<Login> logins = logins(context);
        switch (format) {
            case JSON, YAML ->
                    context.out()
                            .print(
                                    format.write(
                                            Documents.oneOrList(
                                                    logins.stream()
                                                            .map(l -> l.authorization().document())
                                                            .toList(),
                                                    arguments.get().size() != 1)));
            case NAME ->
                    logins.forEach(
                            login ->
                                    context.out()
                                            .print(
                                                    Text.qualified(McpServer.KIND)
                                                            + "/"
                                                            + Text.oneLine(login.server().name())
                                                            + "\n"));
            default -> table(context, format, logins);
        }
        return ExitCode.OK;
    }

    private List<Login> logins(Context context) {
        if (!arguments.get().isEmpty()) {
            return arguments.get().stream()
                    .map(Targets::serverName)
                    .map(name -> new ResourceKey(context.namespace(), name))
                    .map(server -> new Login(server, Authorization.read(context, server)))
                    .toList();
        }
        String namespace = everywhere.isSet() ? "" : context.namespace();
        return context
                .documents()
                .list(ResourceSelection.everything(McpServer.KIND, namespace))
                .items()
                .stream()
                .filter(AuthStatusCommand::hasLogin)
                .map(
                        server ->
                                new ResourceKey(
                                        server.at("/metadata/namespace").asString(""),
                                        server.at("/metadata/name").asString("")))
                .flatMap(server -> find(context, server).stream())
                .toList();
    }

    private static boolean hasLogin(JsonNode server) {
        return server.at("/spec/auth/oauth/grantType").asString("").equals("authorization_code");
    }

    /** A server that was deleted since it was listed is none. */
    private static Optional<Login> find(Context context, ResourceKey server) {
        try {
            return Optional.of(new Login(server, Authorization.read(context, server)));
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.NOT_FOUND && e.details().isPresent()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void table(Context context, Format format, List<Login> logins) {
        if (logins.isEmpty()) {
            context.err()
                    .println(
                            "No McpServer %s has spec.auth.oauth.grantType authorization_code."
                                    .formatted(
                                            everywhere.isSet()
                                                    ? "of any namespace"
                                                    : "of namespace " + context.namespace()));
            return;
        }
        TablePrinter.Layout layout =
                new TablePrinter.Layout(
                        format == Format.WIDE,
                        true,
                        everywhere.isSet(),
                        "",
                        context.console().width());
        new TablePrinter(context.out(), layout)
                .print(
                        new TextTable(
                                "",
                                "",
                                COLUMNS,
                                logins.stream().map(AuthStatusCommand::row).toList()));
    }

    private static TextTable.Row row(Login login) {
        Authorization found = login.authorization();
        return new TextTable.Row(
                login.server().namespace(),
                login.server().name(),
                "",
                Map.of(),
                Stream.of(
                                login.server().name(),
                                found.isLoggedIn() ? "yes" : "no",
                                found.issuer(),
                                String.join(",", found.scopes()),
                                found.since(),
                                found.isRenewable() ? "renewed" : found.expires(),
                                found.clientId(),
                                found.secret(),
                                found.message())
                        .map(cell -> cell.isEmpty() ? "-" : cell)
                        .toList());
    }
}
