package dev.orloj.server.postgres;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Chooses the account under which the programs of PostgreSQL run. They refuse to run as root.
 *
 * @param uid of {@link Kind#OWN_USER}
 * @param gid of {@link Kind#OWN_USER}
 */
record ServerAccount(Kind kind, int uid, int gid) {

    enum Kind {
        /** orlojd is an ordinary user and runs PostgreSQL as itself. */
        OURSELVES,
        /** orlojd is root and becomes a user under which nothing else on this machine runs. */
        OWN_USER,
        /**
         * orlojd is root and no other user may enter the data directory: PostgreSQL is still root
         * for the file system, but runs in a user namespace with the overflow user id.
         */
        USER_NAMESPACE
    }

    private static final int UNPRIVILEGED_UID = 65534;

    /** Chooses the account for programs and data below {@code directory}, an absolute path. */
    static ServerAccount forDirectory(Path directory) throws IOException, InterruptedException {
        if (PosixAccess.currentUid() != 0) {
            return new ServerAccount(Kind.OURSELVES, 0, 0);
        }
        require("setpriv", "PostgreSQL refuses to run as root and orlojd is root");
        OptionalInt own = OwnUser.of(directory);
        if (own.isPresent()) {
            int id = own.getAsInt();
            PosixAccess.letOnlyGroupPass(id, directory);
            if (PosixAccess.mayEnter(id, directory)) {
                return new ServerAccount(Kind.OWN_USER, id, id);
            }
        }
        String reason =
                "PostgreSQL refuses to run as root and no other user may enter \"%s\""
                        .formatted(directory);
        require("unshare", reason);
        Process probe =
                new ProcessBuilder("unshare", "--user", "true")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (probe.waitFor() != 0) {
            throw new EmbeddedPostgresException(
                    reason
                            + ", nor are user namespaces allowed here: choose a --data-dir below"
                            + " directories that all users may enter, run orlojd as an ordinary"
                            + " user, or give --database-url");
        }
        return new ServerAccount(Kind.USER_NAMESPACE, 0, 0);
    }

    /**
     * Returns the account for initdb, which requires a user with a name. The group keeps other
     * processes of that user away from this process and out of its working directory.
     */
    ServerAccount creator() {
        return kind == Kind.OWN_USER ? new ServerAccount(kind, UNPRIVILEGED_UID, gid) : this;
    }

    /** Transfers the tree to the account. PostgreSQL requires that it owns its data. */
    void own(Path tree) throws IOException {
        if (kind != Kind.OURSELVES) {
            PosixAccess.giveTo(uid, gid, tree);
        }
    }

    /** Returns the command line that runs a program as this account. */
    List<String> command(List<String> program) {
        return compose(List.of(), program);
    }

    /**
     * Like {@link #command}, but the kernel interrupts the program when the thread that started it
     * ends, at the latest when orlojd dies. PostgreSQL treats the signal as a request for fast
     * shutdown.
     */
    List<String> commandDyingWithUs(List<String> program) {
        return compose(List.of("--pdeathsig", "INT"), program);
    }

    private List<String> compose(List<String> signalOptions, List<String> program) {
        List<String> command = new ArrayList<>();
        switch (kind) {
            case OURSELVES -> {
                // Without setpriv a killed orlojd leaves PostgreSQL running; the next start stops
                // it.
                if (!signalOptions.isEmpty() && isOnPath("setpriv")) {
                    command.add("setpriv");
                    command.addAll(signalOptions);
                    command.add("--");
                }
            }
            case OWN_USER -> {
                command.addAll(
                        List.of(
                                "setpriv",
                                "--reuid=" + uid,
                                "--regid=" + gid,
                                "--clear-groups",
                                "--no-new-privs"));
                command.addAll(signalOptions);
                command.add("--");
            }
            case USER_NAMESPACE -> {
                command.addAll(List.of("unshare", "--user", "--"));
                if (!signalOptions.isEmpty()) {
                    // Inside the namespace: entering it changes credentials, which clears the
                    // signal.
                    command.add("setpriv");
                    command.addAll(signalOptions);
                    command.add("--");
                }
            }
        }
        command.addAll(program);
        return command;
    }

    private static void require(String program, String reason) {
        if (!isOnPath(program)) {
            throw new EmbeddedPostgresException(
                    "%s; the program %s is needed and missing: install util-linux, run orlojd as an ordinary user, or give --database-url"
                            .formatted(reason, program));
        }
    }

    private static boolean isOnPath(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
