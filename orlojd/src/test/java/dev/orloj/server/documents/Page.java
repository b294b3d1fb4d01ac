package dev.orloj.server.documents;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page in Markdown, as something to be done step by step.
 *
 * <p>Commands are in fenced blocks. Those of {@code console} begin with "$ " and are followed by
 * what they print; those of {@code sh} are commands only. A block with a title is a file to save.
 * Comments of the page, which readers do not see, say the rest:
 *
 * <ul>
 *   <li>{@code <!-- not run: REASON -->} before a block that cannot be run here
 *   <li>{@code <!-- run: COMMAND -->} for what the page takes for granted
 *   <li>{@code <!-- stands for: NAME = OTHER -->} for a name that is another one here, such as an
 *       image of a registry
 * </ul>
 *
 * @param ran blocks with steps
 * @param leftOut blocks that are marked as not run
 */
record Page(String name, List<Step> steps, Map<String, String> standIns, int ran, int leftOut) {

    private static final Pattern FENCE = Pattern.compile("( *)```([\\w+-]*)(?: title=\"(.+)\")? *");
    private static final Pattern COMMENT = Pattern.compile("<!-- ([a-z ]+): (.+) -->");
    private static final Set<String> OTHER_SHELLS = Set.of("bash", "shell", "zsh", "shellsession");
    private static final String PROMPT = "$ ";

    /** Reads a page. */
    static Page read(String name, List<String> lines) {
        return new Reader(name, lines).read();
    }

    /** The blocks of a page one after the other. */
    private static final class Reader {

        private final String name;
        private final List<String> lines;
        private final List<Step> steps = new ArrayList<>();
        private final Map<String, String> standIns = new LinkedHashMap<>();
        private @Nullable String reason;
        private int ran;
        private int leftOut;

        Reader(String name, List<String> lines) {
            this.name = name;
            this.lines = lines;
        }

        Page read() {
            int at = 0;
            while (at < lines.size()) {
                String line = lines.get(at);
                Matcher fence = FENCE.matcher(line);
                Matcher comment = COMMENT.matcher(line.strip());
                if (fence.matches()) {
                    at = block(at, fence);
                } else if (comment.matches()) {
                    comment(at, comment.group(1), comment.group(2));
                } else if (!line.isBlank() && reason != null) {
                    throw wrong(at, "\"not run\" has no block after it");
                }
                at++;
            }
            return new Page(name, List.copyOf(steps), Map.copyOf(standIns), ran, leftOut);
        }

        /** Returns the line of the closing fence. */
        private int block(int at, Matcher fence) {
            String end = fence.group(1) + "```";
            List<String> text = new ArrayList<>();
            int last = at + 1;
            while (last < lines.size() && !lines.get(last).equals(end)) {
                String line = lines.get(last++);
                text.add(line.startsWith(fence.group(1)) ? line.substring(end.length() - 3) : line);
            }
            if (last == lines.size()) {
                throw wrong(at, "the block has no end");
            }
            if (reason != null) {
                reason = null;
                leftOut++;
            } else {
                int before = steps.size();
                steps(at, fence.group(2), fence.group(3), text);
                ran += steps.size() > before ? 1 : 0;
            }
            return last;
        }

        private void steps(int at, String language, @Nullable String title, List<String> text) {
            if (title != null) {
                steps.add(new Step.Save(at + 1, title, String.join("\n", text) + "\n"));
            } else if (language.equals("console")) {
                console(at + 1, text);
            } else if (language.equals("sh")) {
                script(at + 1, text);
            } else if (OTHER_SHELLS.contains(language)) {
                throw wrong(at, "a block of commands is \"sh\" or \"console\": " + language);
            } else if (text.stream().anyMatch(line -> line.startsWith(PROMPT))) {
                throw wrong(at, "a block with a prompt is \"console\", or marked as not run");
            }
        }

        private void console(int first, List<String> text) {
            int at = 0;
            while (at < text.size()) {
                if (!text.get(at).startsWith(PROMPT)) {
                    throw wrong(first + at, "a block of \"console\" begins with a prompt");
                }
                int end = endOfCommand(first, text, at);
                String command = String.join("\n", text.subList(at, end));
                int next = end;
                while (next < text.size() && !text.get(next).startsWith(PROMPT)) {
                    next++;
                }
                List<String> output =
                        text.subList(end, next).stream().filter(line -> !line.isBlank()).toList();
                steps.add(new Step.Run(first + at + 1, command.substring(PROMPT.length()), output));
                at = next;
            }
        }

        private void script(int first, List<String> text) {
            int at = 0;
            while (at < text.size()) {
                String line = text.get(at).strip();
                int end = at + 1;
                if (!line.isEmpty() && !line.startsWith("#")) {
                    end = endOfCommand(first, text, at);
                    String command = String.join("\n", text.subList(at, end));
                    steps.add(new Step.Run(first + at + 1, command, List.of()));
                }
                at = end;
            }
        }

        /** A command goes on for as long as it is none yet for the shell. */
        private int endOfCommand(int first, List<String> text, int start) {
            StringBuilder command = new StringBuilder();
            for (int at = start; at < text.size(); at++) {
                String line = text.get(at);
                command.append(at == start && line.startsWith(PROMPT) ? line.substring(2) : line);
                if (Shell.isComplete(command.toString())) {
                    return at + 1;
                }
                command.append('\n');
            }
            throw wrong(first + start, "the command has no end: " + text.get(start));
        }

        private void comment(int at, String what, String text) {
            switch (what) {
                case "not run" -> reason = text;
                case "run" -> steps.add(new Step.Run(at + 1, text, List.of()));
                case "stands for" -> {
                    String[] names = text.split(" = ", 2);
                    standIns.put(names[0], Objects.requireNonNull(names[1]));
                }
                default -> {
                    // a comment of another kind, such as of a generated table
                }
            }
        }

        private IllegalArgumentException wrong(int at, String why) {
            return new IllegalArgumentException("%s, line %d: %s".formatted(name, at + 1, why));
        }
    }
}
