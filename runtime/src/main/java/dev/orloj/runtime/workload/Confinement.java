package dev.orloj.runtime.workload;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How children are contained so that none outlives its server or orlojd: a prefix of the command
 * line, and the consequences of it. The best kind that this host allows is determined once, by
 * trying.
 *
 * @param kind the effect of the prefix
 * @param prefix programs with absolute paths that run the command given after them
 */
record Confinement(Kind kind, List<String> prefix) {

    private static final Logger log = LoggerFactory.getLogger(Confinement.class);

    private static final List<Path> TOOL_FOLDERS =
            List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/sbin"), Path.of("/sbin"));
    private static final int PROBE_SECONDS = 5;

    enum Kind {
        /**
         * A separate pid namespace. When its first process dies, the kernel kills all other
         * processes in it, including those that left the process group.
         */
        NAMESPACE,
        /** A separate process group. */
        GROUP,
        /** An ordinary child: its descendants have to be searched for. */
        PLAIN
    }

    /**
     * The first process of a namespace is init: default actions of signals do not apply to it, and
     * orphans become its children. A shell takes this role, so that servers run under ordinary
     * conditions.
     *
     * <p>Linux shares processors between sessions (sched(7), autogroup), so that one busy server
     * would get as much as orlojd with all its threads. Therefore the shell lowers the priority of
     * its session. Only root may do so more than ten times per second: for others, some of many
     * starts at once keep the normal priority.
     */
    static final List<String> INIT =
            List.of(
                    "sh",
                    "-c",
                    "{ echo 5 >/proc/self/autogroup; } 2>/dev/null; \"$@\"; exit $?",
                    "init");

    /**
     * Determines the best kind. Must run on the thread that will start the children, because the
     * children die with that thread.
     */
    static Confinement probe() {
        return best(candidates());
    }

    /** Like {@link #probe()}, for children that run as another user and are started by root. */
    static Confinement probeForOthers() {
        return best(candidatesForOthers());
    }

    private static Confinement best(List<Confinement> candidates) {
        Confinement best = candidates.stream().filter(Confinement::works).findFirst().orElseThrow();
        log.atInfo()
                .addKeyValue("kind", best.kind())
                .addKeyValue("prefix", String.join(" ", best.prefix()))
                .log("Confinement of host processes chosen");
        return best;
    }

    /** Returns the candidates from the best to the worst; the last one always works. */
    static List<Confinement> candidates() {
        String setsid = tool("setsid");
        List<String> session = List.of(setsid);
        List<String> mortal = join(session, List.of(tool("setpriv"), "--pdeathsig", "KILL", "--"));
        List<String> unshare = List.of("--pid", "--fork", "--kill-child=KILL", "--", setsid);
        return List.of(
                new Confinement(
                        Kind.NAMESPACE, join(mortal, List.of(tool("unshare")), unshare, init())),
                new Confinement(
                        Kind.NAMESPACE,
                        join(
                                mortal,
                                List.of(tool("unshare"), "--user", "--map-current-user"),
                                unshare,
                                init())),
                new Confinement(Kind.GROUP, mortal),
                new Confinement(Kind.GROUP, session),
                new Confinement(Kind.PLAIN, List.of()));
    }

    /**
     * Returns the candidates for children of another user. In a user namespace there is no other
     * user. The best one also has a {@code /proc} of its own, without the processes of orlojd and
     * of other servers.
     */
    static List<Confinement> candidatesForOthers() {
        List<Confinement> usual = candidates();
        List<String> mount = List.of("--mount-proc", "--propagation=slave");
        List<String> best = new ArrayList<>(usual.getFirst().prefix());
        best.addAll(best.indexOf("--pid"), mount);
        return List.of(
                new Confinement(Kind.NAMESPACE, List.copyOf(best)),
                usual.get(0),
                usual.get(2),
                usual.get(4));
    }

    private static List<String> init() {
        return join(List.of(tool(INIT.getFirst())), INIT.subList(1, INIT.size()));
    }

    static String tool(String name) {
        return TOOL_FOLDERS.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse(name);
    }

    static boolean works(Confinement candidate) {
        if (candidate.prefix().isEmpty()) {
            return true;
        }
        try {
            Process probe =
                    new ProcessBuilder(candidate.around(List.of(tool("true"))))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean ended = probe.waitFor(PROBE_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                probe.destroyForcibly();
            }
            return ended && probe.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the command line that runs {@code command} confined. */
    List<String> around(List<String> command) {
        return join(prefix, command);
    }

    @SafeVarargs
    private static List<String> join(List<String>... parts) {
        List<String> joined = new ArrayList<>();
        for (List<String> part : parts) {
            joined.addAll(part);
        }
        return List.copyOf(joined);
    }
}
