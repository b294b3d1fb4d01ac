package dev.orloj.cli.client;

import dev.orloj.cli.clientfile.Backup;
import dev.orloj.cli.clientfile.Backups;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes back the files of clients as they were. */
final class ClientRestoreCommand extends Command {

    private final TextsOption files =
            arguments("0..*", "[FILE...]", "Only these files. Default: all that Orloj changed.");
    private final Flag force =
            flag(
                    "Write the original over a file that was changed since, and keep that as"
                            + " FILE.changed.",
                    "--force");

    ClientRestoreCommand() {
        super(
                "Restore the files of clients from before import --move and"
                        + " client-config --write.",
                "orlojctl client restore",
                "orlojctl client restore ~/.cursor/mcp.json");
    }

    @Override
    public int run(Context context) {
        Platform platform = Platform.of(context.console().environment());
        List<Backup> backups = new ArrayList<>(new Backups(platform.backups()).all());
        Set<Path> wanted = wanted();
        backups.removeIf(b -> !wanted.isEmpty() && !wanted.contains(b.file()));
        for (Path file : wanted) {
            if (backups.stream().noneMatch(b -> b.file().equals(file))) {
                throw new CommandException(
                        "there is no backup of %s; nothing was done".formatted(file));
            }
        }
        if (backups.isEmpty()) {
            context.err().println("No file is changed.");
        }
        Set<Path> failed = new HashSet<>();
        for (Backup backup : backups) {
            if (failed.contains(backup.file())) {
                continue; // the older backup is of the text before
            }
            try {
                boolean isWhole = backup.restore(force.isSet());
                context.out().print(backup.file() + result(backup, isWhole) + "\n");
            } catch (ClientFileException e) {
                failed.add(backup.file());
                context.err().println("orlojctl: " + e.getMessage());
            }
        }
        return failed.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String result(Backup backup, boolean isWhole) {
        if (!isWhole) {
            boolean hasMoved = backup.moved().stream().anyMatch(moved -> !moved.keys().isEmpty());
            return (hasMoved ? " has its servers back" : " is without Orloj")
                    + "; other changes since then stay";
        }
        return backup.created() ? " deleted, as it was not there before" : " restored";
    }

    private Set<Path> wanted() {
        Set<Path> wanted = new HashSet<>();
        for (String name : files.get()) {
            try {
                wanted.add(Path.of(name).toAbsolutePath());
            } catch (InvalidPathException e) {
                throw new CommandException("\"%s\" is no path".formatted(name));
            }
        }
        return wanted;
    }
}
