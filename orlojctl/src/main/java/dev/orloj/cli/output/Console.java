package dev.orloj.cli.output;

import dev.orloj.api.terminal.VisibleOutputStream;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the standard streams of a command and its environment.
 *
 * @param out buffered; commands flush it when the user waits for the output
 * @param environment the variables of the process
 * @param width the columns of the terminal that shows {@code out}; 0 if there is none, or if it is
 *     not known
 */
public record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        InstantSource clock,
        int width) {

    private static final Path STDIN = Path.of("/proc/self/fd/0");
    private static final Path STDOUT = Path.of("/proc/self/fd/1");
    private static final Path STDERR = Path.of("/proc/self/fd/2");

    /** Set by the launcher if the output is a terminal: the columns, or 0 if it has no size. */
    private static final String LAUNCHER_WIDTH = "ORLOJCTL_WIDTH";

    /** Creates a console whose output is no terminal. */
    public Console(
            InputStream in,
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            InstantSource clock) {
        this(in, out, err, environment, clock, 0);
    }

    /** Returns the console of this process. Its output is UTF-8, whatever the locale. */
    public static Console ofProcess() {
        return of(
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                mayBeTerminal());
    }

    /** Returns the number of a variable; 0 if it is none from 1 to 9999. */
    private static int number(String text) {
        boolean isNumber =
                !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(Console::isDigit);
        return isNumber ? Integer.parseInt(text) : 0;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /** Returns the columns that the user asks for in {@code COLUMNS}; 0 for none. */
    public int wantedWidth() {
        return number(environment.getOrDefault("COLUMNS", ""));
    }

    /** Returns what fits a terminal; the variable of the user wins over its real size. */
    private static int widthOf(boolean mayBeTerminal, Map<String, String> environment) {
        String found = environment.get(LAUNCHER_WIDTH);
        if (!mayBeTerminal || (found == null && !isKnownTerminal())) {
            return 0;
        }
        int wanted = number(environment.getOrDefault("COLUMNS", ""));
        return wanted > 0 || found == null ? wanted : number(found);
    }

    /** Without the launcher: a system without /proc may take a pipe for a terminal. */
    private static boolean isKnownTerminal() {
        if (stdout().isPresent()) {
            return true;
        }
        return isTerminalWithoutProc();
    }

    private static boolean isTerminalWithoutProc() {
        java.io.Console console = System.console();
        return console != null && console.isTerminal();
    }

    /**
     * Creates a console with these streams. Much of the output comes from manifests, servers and
     * tools, so control characters are escaped for a terminal. Other programs receive the bytes
     * unchanged.
     *
     * @param isTerminal whether {@code out} is a terminal
     */
    static Console of(OutputStream out, OutputStream err, boolean isTerminal) {
        OutputStream buffered = new BufferedOutputStream(out, 32_768);
        return new Console(
                System.in,
                new PrintStream(
                        isTerminal ? new VisibleOutputStream(buffered) : buffered,
                        false,
                        StandardCharsets.UTF_8),
                new PrintStream(new VisibleOutputStream(err), true, StandardCharsets.UTF_8),
                System.getenv(),
                InstantSource.system(),
                widthOf(isTerminal, System.getenv()));
    }

    /** Returns whether a person is at the standard input, who can be asked. */
    public boolean isInteractive() {
        if (in != System.in) {
            return false;
        }
        try {
            Path input = Files.readSymbolicLink(STDIN);
            return input.startsWith("/dev") && !input.equals(Path.of("/dev/null"));
        } catch (IOException | UnsupportedOperationException e) {
            return isTerminalWithoutProc();
        }
    }

    /** Prints a question and returns the line that answers it; empty at the end of the input. */
    public Optional<String> ask(String question) {
        err.print(question);
        err.flush();
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1);
            return Optional.ofNullable(lines.readLine()).map(String::strip);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns what shows for what a command waits; nothing if the user turned it off. */
    public Progress progress() {
        if (environment.getOrDefault("ORLOJCTL_PROGRESS", "on").equals("off")) {
            return Progress.none(clock);
        }
        return in == System.in && isErrTerminal()
                ? Progress.terminal(width, clock)
                : Progress.lines(err, clock);
    }

    private boolean isErrTerminal() {
        if (environment.getOrDefault("TERM", "").equals("dumb")) {
            return false;
        }
        return target(STDERR)
                .map(err -> err.startsWith("/dev/pts") || err.toString().startsWith("/dev/tty"))
                .orElseGet(Console::isTerminalWithoutProc);
    }

    /** Returns false only where the system reports a pipe, a file or a socket. */
    private static boolean mayBeTerminal() {
        return stdout().map(
                        target -> target.startsWith("/dev") && !target.equals(Path.of("/dev/null")))
                .orElse(true);
    }

    /**
     * Returns whether the standard output is a file or a device, which have no reader who may leave
     * early.
     */
    public static boolean isFile() {
        return stdout().filter(Path::isAbsolute).isPresent();
    }

    /** Returns a path, or a name such as {@code pipe:[17]}; empty where the system has none. */
    private static Optional<Path> stdout() {
        return target(STDOUT);
    }

    private static Optional<Path> target(Path stream) {
        try {
            return Optional.of(Files.readSymbolicLink(stream));
        } catch (IOException | UnsupportedOperationException e) {
            // Without /proc, or on a file system without links, the target is unknown.
            return Optional.empty();
        }
    }

    /**
     * Flushes the output.
     *
     * @return whether the output is still being read; false once {@code | head} has finished
     */
    public boolean flush() {
        return !out.checkError();
    }
}
