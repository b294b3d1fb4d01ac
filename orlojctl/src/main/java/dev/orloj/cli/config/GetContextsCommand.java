package dev.orloj.cli.config;

import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.kubeconfig.Kubeconfig;
import dev.orloj.cli.output.TablePrinter;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Lists the contexts. */
final class GetContextsCommand extends KubeconfigCommand {

    private final TextsOption arguments =
            arguments("0..1", "[NAME]", "Only this one. Default: all.");
    private final TextOption output = text("FORMAT", "name.", "-o", "--output");
    private final Flag noHeaders = flag("Print no headings.", "--no-headers");

    GetContextsCommand() {
        super("List the contexts.", "orlojctl config get-contexts -o name");
    }

    @Override
    int run(Context context, Kubeconfig config) {
        output.get().ifPresent(text -> Format.parse(text, List.of(Format.NAME)));
        arguments.get().forEach(name -> requireContext(config, name));
        List<String> names = new ArrayList<>(config.names("contexts"));
        names.sort(null);
        if (!arguments.get().isEmpty()) {
            names.retainAll(arguments.get());
        }
        if (output.get().isPresent()) {
            names.forEach(name -> context.out().print(name + "\n"));
            return ExitCode.OK;
        }
        List<List<String>> lines = new ArrayList<>();
        if (!noHeaders.isSet()) {
            lines.add(List.of("CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"));
        }
        for (String name : names) {
            JsonNode entry = config.entry("contexts", name).orElseThrow().content();
            lines.add(
                    List.of(
                            name.equals(config.currentContext()) ? "*" : "",
                            name,
                            entry.path("cluster").asString(""),
                            entry.path("user").asString(""),
                            entry.path("namespace").asString("")));
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }
}
