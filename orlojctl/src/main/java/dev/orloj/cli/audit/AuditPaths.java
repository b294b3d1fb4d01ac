package dev.orloj.cli.audit;

import dev.orloj.api.audit.AuditCheckpoint;
import dev.orloj.api.audit.AuditRecord;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.Request;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Where a server has its audit log. */
final class AuditPaths {

    static final String EVENTS = "/apis/orloj.dev/v1/auditevents";

    private AuditPaths() {}

    /** Asks the server to sign where its log has come to. */
    static AuditCheckpoint checkpoint(Context context) {
        return AuditCheckpoint.parse(read(context, EVENTS + "/checkpoint"))
                .orElseThrow(() -> new CommandException("the server gave no checkpoint"));
    }

    /** Reads the whole log, line by line. */
    static void forEachLine(Context context, Consumer<String> consumer) {
        String path = EVENTS + "/export";
        String last = "0";
        while (true) {
            String page = read(context, path + "?after=" + last);
            if (page.isEmpty()) {
                return;
            }
            page.lines().forEach(consumer);
            String line = page.lines().reduce((_, next) -> next).orElse("");
            last =
                    AuditRecord.parse(line)
                            .map(record -> Long.toString(record.sequence()))
                            .orElse("");
            if (last.isEmpty()) { // a checkpoint alone: the log has no records
                return;
            }
        }
    }

    private static String read(Context context, String path) {
        return new String(context.connection().read(Request.get(path)), StandardCharsets.UTF_8);
    }
}
