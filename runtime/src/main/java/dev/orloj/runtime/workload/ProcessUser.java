package dev.orloj.runtime.workload;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * An account of this host under which host processes run, other than that of orlojd. Immutable.
 *
 * @param group the only group of its processes
 * @param home where its processes start, and keep their caches
 */
public record ProcessUser(String name, int uid, int group, Path home) {

    /** Shared by programs that have nothing to do with each other. */
    private static final int SHARED_UID = 65_534;

    private static final int LOOKUP_SECONDS = 10;
    private static final int ACCOUNT_FIELDS = 7;

    /**
     * Runs as root: gives the pipes to the account, because a process opens {@code /dev/stderr} by
     * the permissions of the pipe.
     */
    private static final String GIVE_PIPES =
            "pipes=; for fd in 0 1 2; do [ ! -p /proc/self/fd/$fd ] ||"
                    + " pipes=\"$pipes /proc/self/fd/$fd\"; done;"
                    + " [ -z \"$pipes\" ] || chown -f \"$0\" $pipes; exec \"$@\"";

    /** Runs as the account, after its variables are set. */
    private static final String BEGIN =
            "umask 077; [ -d \"$TMPDIR\" ] || mkdir -p \"$TMPDIR\"; cd \"$HOME\" && exec \"$@\"";

    private static final String PREPARE =
            "umask 077; rm -rf \"$TMPDIR\"; mkdir -p \"$TMPDIR\" && cd \"$HOME\"";

    /** A variable that carries one of the account, as NAME=VALUE. */
    private static final String CARRIER = "ORLOJ_ENV_";

    private static final Pattern SHELL_NAME =
            Pattern.compile("(?!ORLOJ_ENV_)[A-Za-z_][A-Za-z0-9_]*");

    /**
     * Finds an account by its name or uid.
     *
     * @throws WorkloadException when there is none, or when no process of a server may run under it
     */
    public static ProcessUser find(String name) throws InterruptedException {
        ProcessUser user =
                account(name)
                        .orElseThrow(
                                () ->
                                        new WorkloadException(
                                                "user \"%s\" does not exist on this machine; create it, for example with \"useradd --system --create-home --shell /usr/sbin/nologin %s\""
                                                        .formatted(name, name)));
        user.requireOther(Ids.ofThisProcess());
        return user;
    }

    private static Optional<ProcessUser> account(String name) throws InterruptedException {
        try {
            Process lookup = new ProcessBuilder("getent", "passwd", "--", name).start();
            lookup.getOutputStream().close();
            if (!lookup.waitFor(LOOKUP_SECONDS, TimeUnit.SECONDS)) {
                lookup.destroyForcibly();
                throw new WorkloadException(
                        "user \"%s\" could not be looked up within %d s"
                                .formatted(name, LOOKUP_SECONDS));
            }
            return parse(
                    new String(lookup.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip());
        } catch (IOException e) {
            throw new WorkloadException(
                    "user \"%s\" could not be looked up with getent: %s"
                            .formatted(name, e.getMessage()),
                    e);
        }
    }

    /** Parses a line of passwd(5). */
    static Optional<ProcessUser> parse(String line) {
        String[] fields = line.split(":", -1);
        return fields.length == ACCOUNT_FIELDS
                ? Optional.of(
                        new ProcessUser(
                                fields[0],
                                Integer.parseUnsignedInt(fields[2]),
                                Integer.parseUnsignedInt(fields[3]),
                                Path.of(fields[5].isEmpty() ? "/" : fields[5])))
                : Optional.empty();
    }

    /**
     * @param own the ids of orlojd
     */
    void requireOther(Ids own) {
        if (uid == 0) {
            throw new WorkloadException("user \"%s\" is root; name another".formatted(name));
        }
        if (uid == own.uid()) {
            throw new WorkloadException(
                    "user \"%s\" is the one that orlojd runs as; name another".formatted(name));
        }
        if (uid == SHARED_UID) {
            throw new WorkloadException(
                    "user \"%s\" is shared with other programs; create one for servers"
                            .formatted(name));
        }
        if (group == 0 || group == own.group()) {
            throw new WorkloadException(
                    "user \"%s\" has the group %d, that of %s; give it a group of its own"
                            .formatted(name, group, group == 0 ? "root" : "orlojd"));
        }
        if (own.uid() != 0) {
            throw new WorkloadException(
                    "orlojd has to run as root to start programs as user \"%s\"".formatted(name));
        }
        requireHome();
    }

    private void requireHome() {
        try {
            if (!Files.isDirectory(home)) {
                throw new WorkloadException(
                        "the home of user \"%s\", \"%s\", does not exist; create it, for example with \"install -d -o %s -m 0700 %s\""
                                .formatted(name, home, name, home));
            }
            if (attribute(home, "uid") != uid) {
                throw new WorkloadException(
                        "the home of user \"%s\", \"%s\", belongs to another user; give the account a home of its own (usermod --home)"
                                .formatted(name, home));
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new WorkloadException(
                    "the home of user \"%s\", \"%s\", cannot be examined: %s"
                            .formatted(name, home, e.getMessage()),
                    e);
        }
    }

    /** Returns whether the account may reach a file and execute it, by their modes. */
    boolean mayExecute(Path file) {
        try {
            return hasExecute(file.toAbsolutePath()) && hasExecute(file.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    private boolean hasExecute(Path file) throws IOException {
        for (Path at = file; at != null; at = at.getParent()) {
            int shift = attribute(at, "uid") == uid ? 6 : attribute(at, "gid") == group ? 3 : 0;
            if ((attribute(at, "mode") >> shift & 1) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int attribute(Path file, String name) throws IOException {
        return Files.getAttribute(file, "unix:" + name) instanceof Integer value ? value : 0;
    }

    /** Returns the folder for temporary files. The replica empties it when it starts. */
    Path temporary(String owner) {
        return home.resolve(".cache/orloj").resolve(owner);
    }

    /** Returns the variables that a process of the account gets instead of those of orlojd. */
    Map<String, String> variables(String owner) {
        return Map.of(
                "HOME",
                home.toString(),
                "USER",
                name,
                "LOGNAME",
                name,
                "TMPDIR",
                temporary(owner).toString());
    }

    /**
     * Returns the environment for {@link #command}. The first programs of it run as root, so they
     * get none of the variables of the server: {@code LD_PRELOAD} or {@code PATH} would choose what
     * root runs. The account itself unpacks them, in its shell, because the command line of a
     * process is readable for everybody.
     *
     * @throws WorkloadException when a name is none that a shell accepts
     */
    Map<String, String> carriers(Map<String, String> variables) {
        Map<String, String> carriers = new LinkedHashMap<>();
        variables.forEach(
                (name, value) -> {
                    if (!SHELL_NAME.matcher(name).matches()) {
                        throw new WorkloadException(
                                "Environment variable \"%s\" cannot be given to a program that runs as user \"%s\": use letters, digits and _ in its name, and do not begin it with ORLOJ_ENV_"
                                        .formatted(name, this.name));
                    }
                    carriers.put(CARRIER + carriers.size(), name + "=" + value);
                });
        carriers.put("PATH", ChildEnvironment.DEFAULT_PATH);
        return carriers;
    }

    /**
     * Returns the command line that root starts to run {@code program} as the account, with no way
     * back.
     *
     * @param variables how many there are in the environment
     */
    List<String> command(int variables, List<String> program) {
        String sh = Confinement.tool("sh");
        List<String> command =
                new ArrayList<>(List.of(sh, "-c", GIVE_PIPES, Integer.toUnsignedString(uid)));
        command.addAll(drop());
        command.addAll(List.of(sh, "-c", unpacking(variables) + BEGIN, "orloj"));
        command.addAll(program);
        return command;
    }

    private static String unpacking(int variables) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < variables; i++) {
            script.append("export \"$").append(CARRIER).append(i).append("\"; ");
        }
        for (int i = 0; i < variables; i++) {
            script.append("unset ").append(CARRIER).append(i).append("; ");
        }
        return script.toString();
    }

    /**
     * Runs as root until the program: a change of the user clears the signal that the kernel sends
     * when the parent ends, so it is set once more.
     */
    private List<String> drop() {
        return List.of(
                Confinement.tool("setpriv"),
                "--reuid=" + Integer.toUnsignedString(uid),
                "--regid=" + Integer.toUnsignedString(group),
                "--clear-groups",
                "--no-new-privs",
                "--bounding-set=-all",
                "--inh-caps=-all",
                "--pdeathsig=KILL",
                "--");
    }

    /**
     * Becomes the account once, and empties its folder for temporary files.
     *
     * @throws WorkloadException when this orlojd may not become the account, or when the account
     *     cannot use its home
     */
    void prepare(String owner) throws InterruptedException {
        List<String> command = new ArrayList<>(drop());
        command.addAll(List.of(Confinement.tool("sh"), "-c", PREPARE));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(new File("/")).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", ChildEnvironment.DEFAULT_PATH);
        builder.environment().putAll(variables(owner));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new WorkloadException(
                        "orlojd cannot run programs as user \"%s\" with the home \"%s\": %s"
                                .formatted(name, home, output.strip()));
            }
        } catch (IOException e) {
            throw new WorkloadException(
                    "orlojd cannot run programs as user \"%s\": %s".formatted(name, e.getMessage()),
                    e);
        }
    }

    /** The effective user and group of a process. */
    record Ids(int uid, int group) {

        static Ids ofThisProcess() {
            try {
                List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
                return new Ids(effective(lines, "Uid:"), effective(lines, "Gid:"));
            } catch (IOException e) {
                throw new WorkloadException(
                        "this machine has no /proc, so programs cannot run as another user", e);
            }
        }

        /** The real id comes first. */
        private static int effective(List<String> lines, String label) {
            return lines.stream()
                    .filter(line -> line.startsWith(label))
                    .map(line -> Integer.parseUnsignedInt(line.split("\\s+", -1)[2]))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
