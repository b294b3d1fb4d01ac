package dev.orloj.cli.ledger;

import dev.orloj.api.approval.DefinitionName;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.output.Text;

import java.util.List;
import java.util.Optional;

/** Shows what a held definition changes, or what changed between two definitions. */
final class ToolDiffCommand extends Command {

    private final TextsOption arguments =
            arguments(
                    "1..*",
                    "TOOL [PART] [FROM TO]",
                    "A Tool, or mcp/NAME with the PART prompt/NAME, template/URI-TEMPLATE,"
                            + " resource/URI, server/instructions, server/info, server/runs or the"
                            + " name of a tool on this server; and the numbers of two entries."
                            + " Default: what is served and what is held, or the last change of"
                            + " what is served if nothing is held.");

    ToolDiffCommand() {
        super(
                "Show what changed in the definition of a tool: texts by word, schemas by effect.",
                "orlojctl tools diff github--create-issue",
                "orlojctl tools diff github--create-issue 3 17",
                "orlojctl tools diff mcp/github prompt/review",
                "orlojctl tools diff mcp/github server/instructions");
    }

    @Override
    public int run(Context context) {
        List<String> given = arguments.get();
        Optional<String> part =
                given.stream().skip(1).limit(1).filter(text -> !text.matches("[0-9]+")).findFirst();
        List<String> numbers = given.subList(part.isPresent() ? 2 : 1, given.size());
        if (numbers.size() > 2) {
            throw new UsageException("unexpected argument \"" + numbers.get(2) + "\"");
        }
        if (numbers.size() == 1) {
            throw new UsageException("FROM without TO: give the numbers of two entries");
        }
        String first = given.getFirst();
        Ledger.Target target =
                part.isPresent() ? Ledger.target(context, first) : Ledger.tool(context, first);
        Optional<DefinitionName> stated = part.map(DefinitionName::parse);
        if (!target.tool().isEmpty() && stated.filter(DefinitionName::isTool).isPresent()) {
            throw new UsageException("\"%s\" is no number of an entry".formatted(part.get()));
        }
        DefinitionVersions versions = DefinitionVersions.read(context, target, stated);
        print(
                context,
                numbers.isEmpty()
                        ? versions.usual()
                        : versions.between(numbers.getFirst(), numbers.getLast()));
        return ExitCode.OK;
    }

    private static void print(Context context, DefinitionVersions.Comparison comparison) {
        switch (comparison) {
            case DefinitionVersions.Comparison.Nothing(String why) ->
                    context.err().println(Text.oneLine(why));
            case DefinitionVersions.Comparison.Difference difference -> print(context, difference);
        }
    }

    private static void print(
            Context context, DefinitionVersions.Comparison.Difference difference) {
        DefinitionVersions.Version before = difference.before();
        DefinitionVersions.Version after = difference.after();
        context.out().print("--- " + Text.oneLine(before.label()) + "\n");
        context.out().print("+++ " + Text.oneLine(after.label()) + "\n");
        List<String> lines =
                difference.isNew()
                        ? Documents.toJson(after.content()).lines().toList()
                        : DefinitionDiff.lines(before.content(), after.content());
        lines.forEach(line -> context.out().print(Text.oneLine(line) + "\n"));
    }
}
