package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.core.Event;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Description;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Shows events in chronological order. */
public final class EventsCommand extends Command {

    private final TextsOption arguments =
            arguments("0..*", "[KIND/NAME]", "Only events of this resource.");
    private final Flag everywhere = flag("In every namespace.", "-A", "--all-namespaces");
    private final Flag watch = flag("Continue with every further event.", "-w", "--watch");

    public EventsCommand() {
        super("Show events.", "orlojctl events", "orlojctl events mcp/github -w");
    }

    @Override
    public int run(Context context) {
        ResourceSelection selection = selection(context);
        TablePrinter printer = new TablePrinter(context.out(), TablePrinter.Layout.WHOLE);
        boolean isFirst = true;
        while (true) {
            DocumentClient.Listing listing = context.documents().list(selection);
            if (listing.items().isEmpty() && isFirst) {
                sayNothingFound(context);
            }
            List<List<String>> lines = new ArrayList<>();
            if (isFirst && (!listing.items().isEmpty() || watch.isSet())) {
                lines.add(headings());
            }
            Description.sorted(listing.items()).forEach(event -> lines.add(line(context, event)));
            printer.print(lines);
            isFirst = false;
            if (!watch.isSet() || follow(context, selection, listing.version(), printer)) {
                return ExitCode.OK;
            }
        }
    }

    private void sayNothingFound(Context context) {
        NothingFound.say(context, "No events found.", !everywhere.isSet());
        if (!everywhere.isSet() && !arguments.get().isEmpty()) {
            Targets.parse(arguments.get())
                    .named()
                    .forEach(
                            target ->
                                    NothingFound.explain(
                                            context,
                                            target.kind(),
                                            target.key(context.namespace())));
        }
    }

    /** Prints events until the output is closed, or until they must be listed again. */
    private boolean follow(
            Context context, ResourceSelection selection, String version, TablePrinter printer) {
        if (!context.console().flush()) {
            return true;
        }
        try {
            return context.follower()
                    .follow(
                            selection.request(),
                            version,
                            Optional.empty(),
                            event -> {
                                if (!event.isDeletion()) {
                                    printer.print(List.of(line(context, event.object())));
                                }
                                return !context.console().flush();
                            });
        } catch (ApiException e) {
            if (!Follower.isExpired(e)) {
                throw e;
            }
            return false;
        }
    }

    private ResourceSelection selection(Context context) {
        String fields = "";
        if (!arguments.get().isEmpty()) {
            Targets targets = Targets.parse(arguments.get());
            if (targets.named().size() > 1 || targets.kinds().size() > 1) {
                throw new UsageException("events takes one KIND or KIND/NAME");
            }
            fields =
                    targets.named().isEmpty()
                            ? "involvedObject.kind=" + targets.kinds().getFirst().name()
                            : "involvedObject.kind=%s,involvedObject.name=%s"
                                    .formatted(
                                            targets.named().getFirst().kind().name(),
                                            targets.named().getFirst().name());
        }
        return new ResourceSelection(
                Event.KIND, everywhere.isSet() ? "" : context.namespace(), "", fields);
    }

    private List<String> headings() {
        List<String> line = new ArrayList<>();
        if (everywhere.isSet()) {
            line.add("NAMESPACE");
        }
        line.addAll(List.of("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"));
        return line;
    }

    private List<String> line(Context context, JsonNode event) {
        Description description =
                new Description(context.out(), context.console().clock().instant());
        List<String> line = new ArrayList<>();
        if (everywhere.isSet()) {
            line.add(event.at("/metadata/namespace").asString(""));
        }
        line.add(description.age(Description.lastSeen(event)));
        line.add(event.path("type").asString(""));
        line.add(event.path("reason").asString(""));
        line.add(
                event.at("/involvedObject/kind").asString("").toLowerCase(Locale.ROOT)
                        + "/"
                        + event.at("/involvedObject/name").asString(""));
        line.add(Text.oneLine(event.path("message").asString("")));
        return line;
    }
}
