package dev.orloj.cli.admin;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.backup.BackupException;
import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupReader;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.output.Progress;

import tools.jackson.databind.JsonNode;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Replaces everything that an orlojd stores by a backup. */
final class RestoreCommand extends Command {

    private static final String PATH = "/apis/orloj.dev/v1/restores";

    /** For the database, after everything was sent. */
    private static final Duration WAIT = Duration.ofHours(1);

    private final TextsOption arguments =
            arguments("1", "FILE", "The backup, or - for the standard input.");
    private final Flag force =
            flag(
                    "Replace all data of the instance. Without this option, the"
                            + " instance has to be new.",
                    "--force");
    private final TextOption maxSize =
            text("SIZE", "Maximum size of the unpacked backup. Default: 64g.", "--max-size");
    private final TextOption maxRows =
            text("NUMBER", "Maximum number of its rows. Default: 500000000.", "--max-rows");
    private final TextOption maxRowSize =
            text("SIZE", "Maximum size of a row. Default: 64m.", "--max-row-size");

    RestoreCommand() {
        super(
                "Restore a backup into a new orlojd that has the key of its" + " Secrets.",
                "orlojctl admin restore orloj.backup",
                "orlojctl admin restore orloj.backup --force",
                "orlojctl admin restore large.backup --max-size 200g");
    }

    @Override
    public int run(Context context) {
        String source = arguments.get().getFirst();
        Map<String, String> query = query();
        JsonNode done;
        try (InputStream file =
                        source.equals("-")
                                ? context.console().in()
                                : Files.newInputStream(Path.of(source));
                BufferedInputStream backup =
                        new BufferedInputStream(file, 2 * BackupHeader.MAX_BYTES)) {
            check(context, backup, query);
            done = restore(context, backup, query);
        } catch (BackupException e) {
            throw named(source, e);
        } catch (IOException e) {
            throw unreadable(source, e);
        } catch (UnreadableBackup e) {
            throw unreadable(source, e.reason);
        } catch (ApiException e) {
            throw e.reason() == ErrorReason.BAD_REQUEST ? named(source, e) : e;
        }
        report(context, done);
        return ExitCode.OK;
    }

    private Map<String, String> query() {
        Map<String, String> query = new TreeMap<>();
        query.put("force", force.isSet() ? "true" : "");
        query.put("maxBytes", maxSize.bytes().map(String::valueOf).orElse(""));
        query.put("maxRows", maxRows.number().map(String::valueOf).orElse(""));
        query.put("maxRowBytes", maxRowSize.bytes().map(String::valueOf).orElse(""));
        return query;
    }

    /** The server does not know the name of the file that it found something in. */
    private static CommandException named(String source, Exception why) {
        return new CommandException("\"%s\": %s".formatted(source, why.getMessage()));
    }

    private static void report(Context context, JsonNode done) {
        long rows = done.path("rows").valueStream().mapToLong(each -> each.asLong(0)).sum();
        context.out()
                .println(
                        "Restored the backup of %s: %d rows, %d of them resources; resourceVersion %s."
                                .formatted(
                                        done.path("backupCreatedAt").asString(""),
                                        rows,
                                        done.at("/rows/resource").asLong(0),
                                        done.path("resourceVersion").asString("")));
        if (done.path("restartRequired").asBoolean(false)) {
            context.err()
                    .println(
                            "Restart orlojd, every replica of it: until then it refuses what needs"
                                    + " the derivation key of the backup, such as calls with an"
                                    + " Idempotency-Key.");
        }
    }

    private static CommandException unreadable(String source, IOException why) {
        return new CommandException(
                "the backup \"%s\" cannot be read: %s".formatted(source, FileErrors.reason(why)));
    }

    /** Has the server refuse a backup before all of it is sent. */
    private static void check(
            Context context, BufferedInputStream backup, Map<String, String> query)
            throws IOException {
        backup.mark(2 * BackupHeader.MAX_BYTES);
        BackupHeader header = new BackupReader(backup).header();
        backup.reset();
        context.connection()
                .read(with(query, Request.of("POST", PATH + "?dryRun=All", header.toJson())));
    }

    private static JsonNode restore(
            Context context, InputStream backup, Map<String, String> query) {
        try (Progress progress = context.console().progress()) {
            Request.Upload upload =
                    new Request.Upload("application/zip", new Counted(backup, progress));
            return context.connection()
                    .readObject(with(query, Request.upload(PATH, upload)).waiting(WAIT));
        }
    }

    private static Request with(Map<String, String> query, Request request) {
        Request complete = request;
        for (Map.Entry<String, String> each : query.entrySet()) {
            complete = complete.with(each.getKey(), each.getValue());
        }
        return complete;
    }

    /** Shows how much was read. That the file cannot be read is no failure of the connection. */
    private static final class Counted extends FilterInputStream {

        private final Progress progress;
        private long bytes;

        Counted(InputStream in, Progress progress) {
            super(in);
            this.progress = progress;
        }

        @Override
        public int read(byte[] buffer, int start, int length) {
            try {
                int read = super.read(buffer, start, length);
                if (read > 0) {
                    bytes += read;
                    progress.showInTerminal("Sending: " + Size.text(bytes));
                } else if (read < 0) {
                    progress.showInTerminal("Restoring " + Size.text(bytes));
                }
                return read;
            } catch (IOException e) {
                throw new UnreadableBackup(e);
            }
        }
    }

    /** Passes the HTTP client, which takes an IOException for one of its connection. */
    private static final class UnreadableBackup extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final IOException reason;

        UnreadableBackup(IOException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
