package dev.orloj.server.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** Writes a kubeconfig with the certificates in it, so that it can be copied to another machine. */
public final class KubeconfigWriter {

    /** Distinguishes the file from those that other programs write. */
    private static final String MARK =
            "# Written by orlojd while it has an HTTPS port (--https-port). It can do everything:"
                    + " keep it secret.\n";

    private static final String EXTENSION =
            """
                extensions:
                - name: orloj.dev/http
                  extension: {server: "%s"}
            """;

    private KubeconfigWriter() {}

    /**
     * @param file gets mode 0600
     * @param server https URL of this orlojd
     * @param http URL of the HTTP port, from which orlojctl finds the way here; empty for none
     * @param trusted what clients trust instead of the authorities of their system
     */
    public static void write(
            Path file,
            String server,
            String http,
            List<X509Certificate> trusted,
            CertifiedKey administrator)
            throws IOException, GeneralSecurityException {
        String content =
                MARK
                        + """
                        apiVersion: v1
                        kind: Config
                        clusters:
                        - name: orloj
                          cluster:
                            server: %s
                            certificate-authority-data: %s
                        %susers:
                        - name: %s
                          user:
                            client-certificate-data: %s
                            client-key-data: %s
                        contexts:
                        - name: orloj
                          context:
                            cluster: orloj
                            user: %4$s
                            namespace: default
                        current-context: orloj
                        """
                                .formatted(
                                        server,
                                        data(Pem.of(trusted)),
                                        http.isEmpty() ? "" : EXTENSION.formatted(http),
                                        CertificateDirectory.ADMINISTRATOR,
                                        data(Pem.of(administrator.chain())),
                                        data(Pem.of(administrator.key())));
        if (!Files.exists(file) || !Files.readString(file).equals(content)) {
            PrivateFiles.write(file, content);
        }
    }

    /** Deletes the file of an earlier run, when this one has no port that it could lead to. */
    public static void withdraw(Path file) throws IOException {
        if (Files.isRegularFile(file) && Files.readString(file).startsWith(MARK)) {
            Files.delete(file);
        }
    }

    private static String data(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
    }
}
