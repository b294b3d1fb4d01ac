package dev.orloj.server.store.table;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Converts failures of a database that is unavailable, or cannot write, into errors for clients.
 * Failures of other kinds are bugs, and are passed on unchanged.
 *
 * <p>{@code Retry-After} is for clients that retry automatically: set when the failure may pass by
 * itself and a second request is safe, because the first has certainly changed nothing.
 */
public final class DatabaseFailure {

    private static final int RETRY_AFTER_SECONDS = 2;

    /** Of SQLSTATE: see "PostgreSQL Error Codes" in the manual of PostgreSQL. */
    private static final String DISK_FULL = "53100";

    private static final String READ_ONLY_TRANSACTION = "25006";
    private static final String INSUFFICIENT_RESOURCES = "53";
    private static final String SYSTEM_ERROR = "58";
    private static final String CONNECTION_EXCEPTION = "08";
    private static final String SHUTDOWN = "57P";

    /** By the statement timeout, or by an administrator; the message of PostgreSQL names which. */
    private static final String QUERY_CANCELED = "57014";

    private final Trouble trouble;
    private final String said;

    private DatabaseFailure(Trouble trouble, String said) {
        this.trouble = trouble;
        this.said = said;
    }

    /** The problem, with its remedy. */
    private enum Trouble {
        AWAY(
                ErrorReason.SERVICE_UNAVAILABLE,
                "the database cannot be reached: \"%s\"; nothing was done, and it works again as"
                        + " soon as PostgreSQL does"),
        BROKE_OFF(
                ErrorReason.SERVICE_UNAVAILABLE,
                "the connection to the database broke off: \"%s\"; it works again as soon as"
                        + " PostgreSQL does"),
        TOO_SLOW(
                ErrorReason.SERVICE_UNAVAILABLE,
                "the database takes too long: \"%s\"; nothing was changed: see what it does, or is"
                        + " locked by, and raise orloj.database.socket-timeout if it has to"),
        READ_ONLY(
                ErrorReason.SERVICE_UNAVAILABLE,
                "the database takes no writes: \"%s\"; nothing was changed, and it works again when"
                        + " PostgreSQL is no standby and not set to read only"),
        /** Kubernetes has no reason for it, and responds like this itself when etcd has no room. */
        DISK_FULL(
                ErrorReason.INTERNAL_ERROR,
                "the database has no room: \"%s\"; nothing was changed: make room on the disk of"
                        + " PostgreSQL"),
        UNABLE(
                ErrorReason.INTERNAL_ERROR,
                "the database is not able to do it: \"%s\"; nothing was changed: see the log of"
                        + " PostgreSQL, and give it what it lacks");

        private final ErrorReason reason;
        private final String message;

        Trouble(ErrorReason reason, String message) {
            this.reason = reason;
            this.message = message;
        }
    }

    /** Reads, or an operation that may be repeated. */
    public static <T> T reading(Supplier<T> work) {
        return translating(work, true);
    }

    /** Writes: an interrupted one may have been carried out. */
    public static <T> T writing(Supplier<T> work) {
        return translating(work, false);
    }

    private static <T> T translating(Supplier<T> work, boolean repeatable) {
        try {
            return work.get();
        } catch (DataAccessException | TransactionException e) {
            throw of(e).<RuntimeException>map(failure -> failure.toApi(e, repeatable)).orElse(e);
        }
    }

    /** Whether the state of the database is the reason, and not a bug. */
    public static boolean explains(RuntimeException failure) {
        return of(failure).isPresent();
    }

    /** Empty when the database works, and what failed is something else. */
    public static Optional<DatabaseFailure> of(RuntimeException failure) {
        SQLException cause = sqlCause(failure);
        if (failure instanceof CannotGetJdbcConnectionException
                || failure instanceof CannotCreateTransactionException) {
            return Optional.of(new DatabaseFailure(Trouble.AWAY, words(failure, cause)));
        }
        return cause == null
                ? Optional.empty()
                : trouble(String.valueOf(cause.getSQLState()))
                        .map(trouble -> new DatabaseFailure(trouble, words(failure, cause)));
    }

    private static Optional<Trouble> trouble(String state) {
        if (state.startsWith(CONNECTION_EXCEPTION) || state.startsWith(SHUTDOWN)) {
            return Optional.of(Trouble.BROKE_OFF);
        }
        if (state.equals(QUERY_CANCELED)) {
            return Optional.of(Trouble.TOO_SLOW);
        }
        if (state.equals(READ_ONLY_TRANSACTION)) {
            return Optional.of(Trouble.READ_ONLY);
        }
        if (state.equals(DISK_FULL)) {
            return Optional.of(Trouble.DISK_FULL);
        }
        return state.startsWith(INSUFFICIENT_RESOURCES) || state.startsWith(SYSTEM_ERROR)
                ? Optional.of(Trouble.UNABLE)
                : Optional.empty();
    }

    /** The innermost: a pool wraps the driver's message. */
    private static @Nullable SQLException sqlCause(Throwable failure) {
        SQLException found = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                found = sql;
            }
        }
        return found;
    }

    /** The message of the server or the driver, without the statement and its values. */
    private static String words(RuntimeException failure, @Nullable SQLException cause) {
        if (cause instanceof PSQLException postgres) {
            ServerErrorMessage server = postgres.getServerErrorMessage();
            if (server != null && server.getMessage() != null) {
                return server.getMessage();
            }
        }
        Throwable source = cause == null ? failure : cause;
        return String.valueOf(source.getMessage()).lines().findFirst().orElse("");
    }

    /** Whether the database refuses all writes, while it can be read. */
    public boolean isOfWrites() {
        return switch (trouble) {
            case READ_ONLY, DISK_FULL, UNABLE -> true;
            case AWAY, BROKE_OFF, TOO_SLOW -> false;
        };
    }

    public String message() {
        return trouble.message.formatted(said);
    }

    private ApiException toApi(RuntimeException cause, boolean repeatable) {
        boolean unchanged = repeatable || trouble != Trouble.BROKE_OFF;
        boolean passes = trouble.reason == ErrorReason.SERVICE_UNAVAILABLE;
        ApiException translated =
                new ApiException(
                        trouble.reason,
                        unchanged
                                ? message()
                                : message()
                                        + "; what was to be written may have been written: look"
                                        + " before you ask for it again",
                        new Status.Details(
                                "",
                                "",
                                "",
                                "",
                                List.of(),
                                passes && unchanged ? RETRY_AFTER_SECONDS : 0));
        translated.initCause(cause);
        return translated;
    }
}
