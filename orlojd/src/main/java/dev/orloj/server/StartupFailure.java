package dev.orloj.server;

import dev.orloj.server.config.InvalidConfigurationException;
import dev.orloj.server.postgres.EmbeddedPostgresException;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.PortInUseException;

import java.io.PrintStream;
import java.net.BindException;
import java.sql.SQLException;

/**
 * Why the server did not start, in words that say what to do.
 *
 * @param unforeseen the failure when it is none that an operator can be told a remedy for
 */
record StartupFailure(String message, @Nullable Throwable unforeseen) {

    static StartupFailure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case PortInUseException e -> {
                    return new StartupFailure(
                            "port %d is in use; stop what listens there, or choose another with --port"
                                    .formatted(e.getPort()),
                            null);
                }
                case BindException e -> {
                    return new StartupFailure(
                            "cannot listen: %s; choose another address with --host or another port with --port"
                                    .formatted(e.getMessage()),
                            null);
                }
                case SQLException e -> {
                    return new StartupFailure(
                            "the database refused: %s; check --database-url, --database-user and --database-password-file"
                                    .formatted(e.getMessage()),
                            null);
                }
                case InvalidConfigurationException e -> {
                    return new StartupFailure(String.valueOf(e.getMessage()), null);
                }
                case EmbeddedPostgresException e -> {
                    return new StartupFailure(String.valueOf(e.getMessage()), null);
                }
                default -> {} // look deeper
            }
        }
        return new StartupFailure("could not start: " + failure.getMessage(), failure);
    }

    void printTo(PrintStream out) {
        out.println("orlojd: " + message);
        if (unforeseen != null) {
            unforeseen.printStackTrace(out);
        }
    }
}
