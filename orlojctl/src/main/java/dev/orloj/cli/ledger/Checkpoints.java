package dev.orloj.cli.ledger;

import dev.orloj.api.ledger.LedgerCheckpoint;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.FileErrors;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Gets checkpoints of ledgers: from a server, or from a file. */
final class Checkpoints {

    private static final String VERSION = "/apis/orloj.dev/v1";
    private static final String CHECKPOINT = "/toolledgers/checkpoint";

    private Checkpoints() {}

    /**
     * Has a server sign what its ledgers have come to.
     *
     * @param namespace empty for all namespaces
     */
    static LedgerCheckpoint ofServer(Context context, String namespace) {
        String path =
                namespace.isEmpty()
                        ? VERSION + CHECKPOINT
                        : VERSION + "/namespaces/" + namespace + CHECKPOINT;
        byte[] note = context.connection().read(Request.get(path));
        return LedgerCheckpoint.parse(new String(note, StandardCharsets.UTF_8))
                .orElseThrow(() -> new CommandException("the server gave no checkpoint"));
    }

    /** Reads a checkpoint that was kept elsewhere. */
    static LedgerCheckpoint ofFile(String file) {
        try {
            return LedgerCheckpoint.parse(Files.readString(Path.of(file)))
                    .orElseThrow(() -> noCheckpoint(file));
        } catch (MalformedInputException e) {
            throw noCheckpoint(file);
        } catch (IOException | InvalidPathException e) {
            throw new CommandException(
                    "cannot read \"%s\": %s".formatted(file, FileErrors.reason(e)));
        }
    }

    private static CommandException noCheckpoint(String file) {
        return new CommandException(
                "\"%s\" is no checkpoint, as \"orlojctl tools checkpoint\" prints it"
                        .formatted(file));
    }
}
