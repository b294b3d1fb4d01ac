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
 * How children are held together so that none outlives its server or orlojd: a prefix of the
 * command line, and what follows from it. The best that this host allows is found out once, by
 * trying.
 *
 * @param kind what the prefix makes of a child
 * @param prefix programs with absolute paths that run the command given after them
 */
record Confinement(Kind kind, List<String> prefix) {

    private static final Logger log = LoggerFactory.getLogger(Confinement.class);

    private static final List<Path> TOOL_FOLDERS =
            List.of(Path.of("/usr/bin"), Path.of("/bin"), Path.of("/usr/sbin"), Path.of("/sbin"));
    private static final int PROBE_SECONDS = 5;

    enum Kind {
        /**
         * A process namespace of its own, whose first process leads a group of its own: when that
         * one dies the kernel kills all others, those that left the group included.
         */
        NAMESPACE,
        /** The child leads a process group of its own. */
        GROUP,
        /** An ordinary child: its descendants have to be looked for. */
        PLAIN
    }

    /**
     * The first process of a namespace is init: the default action of a signal does not apply to it
     * and orphans become its children. A shell takes that part, so that servers see an ordinary
     * world.
     */
    private static final List<String> INIT = List.of("sh", "-c", "\"$@\"; exit $?", "init");

    /**
     * Must be called on the thread that will start the children: that is the one whose death they
     * follow.
     */
    static Confinement probe() {
        Confinement best =
                candidates().stream().filter(Confinement::works).findFirst().orElseThrow();
        log.atInfo()
                .addKeyValue("kind", best.kind())
                .addKeyValue("prefix", String.join(" ", best.prefix()))
                .log("Confinement of host processes chosen");
        return best;
    }

    /** From the best to the worst; the last one always works. */
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

    private static List<String> init() {
        return join(List.of(tool(INIT.getFirst())), INIT.subList(1, INIT.size()));
    }

    private static String tool(String name) {
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

    /** The command line that runs {@code command} confined. */
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
