package dev.orloj.server.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.testing.ManualClock;
import dev.orloj.server.certificate.CertificateDirectory.Certificates;
import dev.orloj.server.certificate.CertificateDirectory.Given;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

class CertificateDirectoryTest {

    private static final Set<String> NAMES = Set.of("localhost", "box.example");
    private static final Set<String> ADDRESSES = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

    @TempDir Path folder;

    private final ManualClock clock = new ManualClock();

    @Test
    void certificatesOutliveARestart() throws Exception {
        Certificates first = prepare();

        assertThat(prepare()).isEqualTo(first);
    }

    @Test
    void filesAreReadableByTheirOwnerOnly() throws Exception {
        prepare();

        try (Stream<Path> files = Files.list(folder.resolve("tls"))) {
            assertThat(files)
                    .hasSize(8)
                    .allSatisfy(
                            file ->
                                    assertThat(Files.getPosixFilePermissions(file))
                                            .isEqualTo(
                                                    PosixFilePermissions.fromString("rw-------")));
        }
    }

    @Test
    void certificatesOfServerAndOwnerAreRenewedBeforeTheyEnd() throws Exception {
        Certificates first = prepare();
        clock.advance(Duration.ofDays(200));
        Certificates early = prepare();
        clock.advance(Duration.ofDays(50));
        Certificates late = prepare();

        assertThat(early).isEqualTo(first);
        assertThat(late.server().certificate()).isNotEqualTo(first.server().certificate());
        assertThat(late.administrator()).isNotEqualTo(first.administrator());
        assertThat(late.trusted()).isEqualTo(first.trusted());
        late.server().certificate().verify(first.trusted().getFirst().getPublicKey());
    }

    @Test
    void otherNamesOfTheServerNeedAnotherCertificate() throws Exception {
        Certificates first = prepare();
        Certificates second =
                new CertificateDirectory(folder.resolve("tls"), clock, Given.NOTHING)
                        .prepare(Set.of("other.example"), ADDRESSES);

        assertThat(second.server().certificate().getSubjectAlternativeNames())
                .contains(List.of(2, "other.example"));
        assertThat(second.administrator()).isEqualTo(first.administrator());
    }

    @Test
    void serverIsNoClientAndForeignAuthoritiesDoNotCount() throws Exception {
        Certificates own = prepare();
        Certificates foreign =
                new CertificateDirectory(folder.resolve("other"), clock, Given.NOTHING)
                        .prepare(NAMES, ADDRESSES);
        ClientCertificates clients =
                new ClientCertificates(
                        List.of(own.clientAuthorities().getFirst(), own.trusted().getFirst()),
                        clock);

        assertThatCode(() -> clients.verify(own.administrator().chain()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> clients.verify(foreign.administrator().chain()))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> clients.verify(own.server().chain()))
                .hasMessageContaining("clientAuth");
        assertThatThrownBy(() -> clients.verify(List.of(own.clientAuthorities().getFirst())))
                .hasMessageContaining("authority");
    }

    @Test
    void certificateThatIsOverIsNoClient() throws Exception {
        Certificates own = prepare();
        ClientCertificates clients =
                new ClientCertificates(List.of(own.clientAuthorities().getFirst()), clock);
        clock.advance(Duration.ofDays(366));

        assertThatThrownBy(() -> clients.verify(own.administrator().chain()))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void fileThatIsNoCertificateIsNamedWithTheRemedy() throws Exception {
        prepare();
        Files.writeString(folder.resolve("tls/server.crt"), "hello");

        assertThatThrownBy(this::prepare)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("server.crt")
                .hasMessageContaining("delete it");
    }

    @Test
    void keyOfAnotherCertificateIsRefused() throws Exception {
        prepare();
        Files.copy(
                folder.resolve("tls/admin.key"),
                folder.resolve("tls/server.key"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(this::prepare).hasMessageContaining("does not belong");
    }

    private Certificates prepare() throws IOException, GeneralSecurityException {
        return new CertificateDirectory(folder.resolve("tls"), clock, Given.NOTHING)
                .prepare(NAMES, ADDRESSES);
    }
}
