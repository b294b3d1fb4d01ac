package dev.orloj.cli.admin;

import dev.orloj.api.backup.BackupException;
import dev.orloj.api.backup.BackupHeader;
import dev.orloj.api.backup.BackupLimits;
import dev.orloj.api.backup.BackupReader;
import dev.orloj.api.backup.BackupSize;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Answer;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.FileErrors;
import dev.orloj.cli.output.Progress;

import java.io.BufferedOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Saves one state of everything that an orlojd stores. */
final class BackupCommand extends Command {

    private static final String PATH = "/apis/orloj.dev/v1/backups";

    private final TextsOption arguments =
            arguments("1", "FILE", "The file to write, or - for the standard output.");
    private final Flag overwrite = flag("Replace FILE if it exists.", "--overwrite");

    BackupCommand() {
        super(
                "Save everything that orlojd stores, while it runs.",
                "orlojctl admin backup orloj-$(date +%F).backup",
                "orlojctl admin backup - | ssh backup@host \"cat > orloj.backup\"");
    }

    @Override
    public int run(Context context) {
        String target = arguments.get().getFirst();
        if (target.equals("-") && context.console().width() > 0) {
            throw new UsageException(
                    "a backup is no text for a terminal: name a file, or send the output to a"
                            + " program");
        }
        Saved saved;
        try {
            saved =
                    target.equals("-")
                            ? save(context, new Standard(context.out()))
                            : save(context, Path.of(target));
        } catch (BackupException e) {
            throw new CommandException(
                    "%s; nothing was saved: see the log of orlojd, and try again"
                            .formatted(e.getMessage()));
        } catch (IOException e) {
            throw new CommandException(
                    "the backup cannot be written to \"%s\": %s"
                            .formatted(target, FileErrors.reason(e)));
        }
        context.err()
                .println(
                        "Saved %s of %s (resourceVersion %d, %s) to %s."
                                .formatted(
                                        Size.text(saved.bytes),
                                        context.connection().server(),
                                        saved.header.revision(),
                                        saved.header.createdAt(),
                                        target.equals("-") ? "the standard output" : target));
        context.err()
                .println(
                        "Its Secrets are encrypted with key %s, which is not in it: keep a copy of that key (secret.key in the data directory of orlojd, or the file of --secret-key-file), or the hardware security module that has it, without which the backup cannot be restored."
                                .formatted(String.join(", ", saved.header.keys())));
        String options = saved.unpacked.restoreOptions();
        if (!options.isEmpty()) {
            context.err()
                    .println(
                            "It unpacks to %s, more than a restore accepts by itself: restore it with %s."
                                    .formatted(Size.text(saved.unpacked.bytes()), options));
        }
        return ExitCode.OK;
    }

    private record Saved(BackupHeader header, long bytes, BackupSize unpacked) {}

    private Saved save(Context context, Path file) throws IOException {
        if (!overwrite.isSet() && Files.exists(file)) {
            throw new CommandException(
                    "\"%s\" is there already: name another file, or replace it with --overwrite"
                            .formatted(file));
        }
        try (PartialFile partial = PartialFile.create(file.toAbsolutePath())) {
            OutputStream out = new BufferedOutputStream(partial.out());
            Saved saved = save(context, out);
            partial.complete(overwrite.isSet());
            return saved;
        }
    }

    private static Saved save(Context context, OutputStream out) throws IOException {
        Request request =
                Request.of("POST", PATH, "{}".getBytes(StandardCharsets.UTF_8))
                        .accepting("application/zip, application/json");
        try (Progress progress = context.console().progress();
                Answer answer = context.connection().send(request);
                Copying body = new Copying(answer.body(), out, progress)) {
            // Verified on the way: a connection that breaks must not pass for the end.
            BackupReader backup = new BackupReader(body, BackupLimits.NONE);
            for (Optional<BackupReader.Entry> entry = backup.next();
                    entry.isPresent();
                    entry = backup.next()) {
                entry.get().rows().transferTo(OutputStream.nullOutputStream());
            }
            out.flush();
            return new Saved(backup.header(), body.bytes, backup.size());
        }
    }

    /** Reports what a print stream keeps to itself: a full disk, or a reader that is gone. */
    private static final class Standard extends FilterOutputStream {

        private final PrintStream stream;

        Standard(PrintStream stream) {
            super(stream);
            this.stream = stream;
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            stream.write(bytes, start, length);
            requireWritten();
        }

        @Override
        public void flush() throws IOException {
            requireWritten();
        }

        private void requireWritten() throws IOException {
            if (stream.checkError()) {
                throw new IOException("its disk is full, or its reader has ended");
            }
        }
    }

    /** Copies what is read. */
    private static final class Copying extends FilterInputStream {

        private final OutputStream out;
        private final Progress progress;
        private long bytes;

        Copying(InputStream in, OutputStream out, Progress progress) {
            super(in);
            this.out = out;
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int start, int length) throws IOException {
            int read = super.read(buffer, start, length);
            if (read > 0) {
                out.write(buffer, start, read);
                bytes += read;
                progress.showInTerminal("Saving: " + Size.text(bytes));
            }
            return read;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
