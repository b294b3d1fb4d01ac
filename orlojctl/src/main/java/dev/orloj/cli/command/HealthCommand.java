package dev.orloj.cli.command;

import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.Text;

import java.nio.charset.StandardCharsets;

/** Says whether the server is ready for work. */
final class HealthCommand extends Command {

    HealthCommand() {
        super("Show whether the server is ready for work.", "orlojctl health");
    }

    @Override
    int run(Context context) {
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
