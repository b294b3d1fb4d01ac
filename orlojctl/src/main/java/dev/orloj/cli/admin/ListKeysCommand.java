package dev.orloj.cli.admin;

import dev.orloj.cli.admin.Keys.Key;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;

import java.util.ArrayList;
import java.util.List;

/** Lists the keys that values are encrypted with. */
final class ListKeysCommand extends Command {

    private final Flag all = flag("List removed keys, too.", "--all");

    ListKeysCommand() {
        super(
                "List the keys that Secrets are encrypted with, by their ids.",
                "orlojctl admin keys",
                "orlojctl admin keys --all");
    }

    @Override
    public int run(Context context) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("KEY", "STATE", "VALUES", "WRAPPED BY", "CREATED"));
        boolean isComplete = true;
        for (Key key : Keys.list(context)) {
            isComplete &= !key.state().equals("Missing");
            if (all.isSet() || !key.state().equals("Removed")) {
                lines.add(
                        List.of(
                                Text.oneLine(key.id()),
                                Text.oneLine(key.state()),
                                Long.toString(key.values()),
                                key.wrappedBy().isEmpty() ? "-" : Text.oneLine(key.wrappedBy()),
                                key.created().isEmpty() ? "-" : Text.oneLine(key.created())));
            }
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return isComplete ? ExitCode.OK : ExitCode.FAILED;
    }
}
