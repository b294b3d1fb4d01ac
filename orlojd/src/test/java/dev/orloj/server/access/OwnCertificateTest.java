package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

@Timeout(120)
class OwnCertificateTest {

    @TempDir private Path data;
    @TempDir private Path files;

    @Test
    void certificateOfFilesIsServedAndReplacedWithoutARestart() throws Exception {
        Path certificate = files.resolve("own.crt");
        Path key = files.resolve("own.key");
        SSLContext first = TestCertificates.writeServer(certificate, key);
        String written = Files.readString(certificate);
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                HttpsOrlojd orlojd =
                        HttpsOrlojd.start(
                                database,
                                data,
                                Map.of(
                                        "orloj.https.certificate-file", certificate,
                                        "orloj.https.private-key-file", key,
                                        "orloj.https.check-period", "50ms"))) {
            String url = orlojd.url();

            assertThat(new HttpsClient(url, first).get("/version").code()).isEqualTo(200);
            assertThat(trusted()).isEqualTo(written);

            SSLContext second = TestCertificates.writeServer(certificate, key);

            await().atMost(Duration.ofSeconds(60)).until(() -> isServed(url, second));
            assertThatThrownBy(() -> new HttpsClient(url, first).get("/version"))
                    .isInstanceOf(SSLException.class);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> trusted().equals(Files.readString(certificate)));
        }
    }

    @Test
    void authoritiesOfClientsAreReplacedWithoutARestart() throws Exception {
        Path authorities = files.resolve("clients.crt");
        TestCertificates.writeServer(authorities, files.resolve("unused.key"));
        try (TestPostgres.Database database = TestPostgres.freshDatabase();
                HttpsOrlojd orlojd =
                        HttpsOrlojd.start(
                                database,
                                data,
                                Map.of(
                                        "orloj.https.client-ca-file",
                                        authorities,
                                        "orloj.https.check-period",
                                        "50ms"))) {
            TestCertificates certificates = orlojd.certificates();
            SSLContext ann = certificates.writeClientAuthority(authorities, "ann");

            await().atMost(Duration.ofSeconds(60)).until(() -> code(orlojd, ann) == 200);

            SSLContext ben = certificates.writeClientAuthority(authorities, "ben");
            await().atMost(Duration.ofSeconds(60)).until(() -> code(orlojd, ben) == 200);
            assertThat(code(orlojd, ann)).isEqualTo(401);
            assertThat(orlojd.owner().get("/api").code()).isEqualTo(200);
        }
    }

    private static int code(HttpsOrlojd orlojd, SSLContext user) throws Exception {
        return new HttpsClient(orlojd.url(), user).get("/api").code();
    }

    private static boolean isServed(String url, SSLContext context) throws Exception {
        try {
            return new HttpsClient(url, context).get("/version").code() == 200;
        } catch (SSLException e) {
            return false;
        }
    }

    /** What clients with the kubeconfig trust. */
    private String trusted() throws IOException {
        Matcher authority =
                Pattern.compile("certificate-authority-data: (\\S+)")
                        .matcher(Files.readString(data.resolve("kubeconfig")));
        assertThat(authority.find()).isTrue();
        return new String(Base64.getDecoder().decode(authority.group(1)), StandardCharsets.UTF_8);
    }
}
