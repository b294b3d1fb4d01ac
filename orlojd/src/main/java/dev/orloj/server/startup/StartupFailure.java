package dev.orloj.server.startup;

import dev.orloj.server.postgres.DirectoryInUseException;
import dev.orloj.server.postgres.EmbeddedPostgresException;
import dev.orloj.server.properties.InvalidConfigurationException;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.server.PortInUseException;

import java.io.PrintStream;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.sql.SQLException;

/**
 * Explains why the server did not start, with the remedy.
 *
 * @param unforeseen the failure when no remedy is known
 */
public record StartupFailure(String message, @Nullable Throwable unforeseen) {

    /**
     * Part of the class name that the driver reports, in every language, on a host name mismatch.
     */
    private static final String HOST_CHECK = "HostnameVerifier";

    public static StartupFailure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = foreseen(cause);
            if (message != null) {
                return new StartupFailure(message, null);
            }
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = general(cause);
            if (message != null) {
                return new StartupFailure(message, null);
            }
        }
        return new StartupFailure("could not start: " + failure.getMessage(), failure);
    }

    /** Returns the message for the operator; null to examine the cause. */
    private static @Nullable String foreseen(Throwable failure) {
        return switch (failure) {
            case PortInUseException e ->
                    "port %d is in use; stop what listens there, or choose another with --port"
                            .formatted(e.getPort());
            case BindException e ->
                    "cannot listen: %s; choose another address with --host or another port with --port"
                            .formatted(e.getMessage());
            case SQLException e when isAboutCertificate(e) ->
                    "the certificate of the database is not trusted: %s; in --database-url, the host has to be one that the certificate names, and sslrootcert the file of the CA that signed it"
                            .formatted(e.getMessage());
            case SQLException e ->
                    "the database refused: %s; check --database-url, --database-user and --database-password-file"
                            .formatted(e.getMessage());
            case InvalidConfigurationException e -> String.valueOf(e.getMessage());
            case EmbeddedPostgresException e -> String.valueOf(e.getMessage());
            case DirectoryInUseException e -> String.valueOf(e.getMessage());
            case PreflightException e -> String.valueOf(e.getMessage());
            default -> null;
        };
    }

    /** Like {@link #foreseen}, for failures whose cause may be more specific. */
    private static @Nullable String general(Throwable failure) {
        return switch (failure) {
            case org.springframework.boot.context.properties.bind.BindException e -> unusable(e);
            case InvalidConfigurationPropertyValueException e ->
                    "the setting %s cannot be used; docs/configuration.md has what it may be"
                            .formatted(e.getName());
            case NoSuchFileException e -> "\"" + e.getFile() + "\" is not there";
            case AccessDeniedException e -> "permission denied for \"" + e.getFile() + "\"";
            case FileSystemException e ->
                    "cannot use \"%s\": %s".formatted(e.getFile(), e.getReason());
            case OutOfMemoryError _ ->
                    "out of memory; give more with -Xmx in ORLOJ_JAVA_OPTS, or to the container";
            default -> null;
        };
    }

    /** Omits the value, which may be a secret. */
    private static String unusable(
            org.springframework.boot.context.properties.bind.BindException failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        ConfigurationProperty property = failure.getProperty();
        String origin =
                property == null || property.getOrigin() == null
                        ? ""
                        : ", from " + property.getOrigin() + ",";
        boolean saysWhy =
                root.getClass() == IllegalArgumentException.class
                        && String.valueOf(root.getMessage()).startsWith("orloj.");
        return "the setting %s%s cannot be used%s; docs/configuration.md has what it may be"
                .formatted(failure.getName(), origin, saysWhy ? ": " + root.getMessage() : "");
    }

    private static boolean isAboutCertificate(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException
                    || cause instanceof CertPathValidatorException
                    || cause instanceof CertPathBuilderException
                    || String.valueOf(cause.getMessage()).contains(HOST_CHECK)) {
                return true;
            }
        }
        return false;
    }

    public void printTo(PrintStream out) {
        out.println("orlojd: " + message);
        if (unforeseen != null) {
            unforeseen.printStackTrace(out);
        }
    }
}
