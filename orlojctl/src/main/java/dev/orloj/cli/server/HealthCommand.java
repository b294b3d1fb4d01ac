package dev.orloj.cli.server;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.Text;

import java.nio.charset.StandardCharsets;

/** Shows whether the server is ready. */
public final class HealthCommand extends Command {

    public HealthCommand() {
        super("Show whether orlojd is ready.", "orlojctl health");
    }

    @Override
    public int run(Context context) {
        Request request = Request.get("/readyz").accepting("text/plain, */*");
        byte[] answer = context.connection().read(request);
        String said = Text.oneLine(new String(answer, StandardCharsets.UTF_8)).strip();
        context.out()
                .print(
                        "%s (%s)\n"
                                .formatted(
                                        said.isEmpty() ? "ok" : said,
                                        context.connection().server().url()));
        return ExitCode.OK;
    }
}
