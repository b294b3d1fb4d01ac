package dev.orloj.server.postgres;

import java.nio.file.Path;

/** Runs an {@link EmbeddedPostgres} in a process of its own until its standard input ends. */
final class EmbeddedPostgresProgram {

    private EmbeddedPostgresProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (EmbeddedPostgres postgres = new EmbeddedPostgres(Path.of(arguments[0]))) {
            postgres.start();
            System.out.println("pid " + postgres.pid());
            System.in.transferTo(System.out);
        }
    }
}
