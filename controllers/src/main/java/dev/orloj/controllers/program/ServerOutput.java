package dev.orloj.controllers.program;

import dev.orloj.runtime.workload.LogBuffer;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the line in the log of a server that explains its failure. Often it is not the last line.
 */
public final class ServerOutput {

    /** The transport's mark for stdout output that is not a message. */
    private static final String NOISE = "[stdout, skipped] ";

    private static final Pattern NPM = Pattern.compile("npm (error|ERR!) .*");

    /** Says where something happened, not what. */
    private static final Pattern NPM_DETAIL =
            Pattern.compile(
                    "npm (error|ERR!) +((code|errno|syscall|path|dest|signal|command)\\b.*|\\d+"
                            + "|A complete log of this run.*)");

    private ServerOutput() {}

    /**
     * Returns the text to append to the cause of a failure. Empty if the server has written
     * nothing.
     *
     * @param lines of one run, oldest first
     */
    public static String of(List<LogBuffer.Line> lines) {
        List<String> texts = lines.stream().map(LogBuffer.Line::text).toList();
        for (String text : texts) {
            if (NPM.matcher(text).matches() && !NPM_DETAIL.matcher(text.strip()).matches()) {
                return "; it wrote: " + text;
            }
        }
        for (String text : texts) {
            if (text.startsWith(NOISE)) {
                return "; it wrote to stdout what is no MCP message (logs belong on stderr): "
                        + escaped(text.substring(NOISE.length()));
            }
        }
        return texts.isEmpty() ? "" : "; it last wrote: " + texts.getLast();
    }

    private static String escaped(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            if (Character.isISOControl(c)) {
                                shown.append("\\u%04x".formatted(c));
                            } else {
                                shown.appendCodePoint(c);
                            }
                        });
        return shown.toString();
    }
}
