package dev.orloj.runtime.container.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.SecretFile;
import dev.orloj.runtime.workload.ProcessIdentity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

class SecretFilesTest {

    private static final ContainerLabels LABELS =
            new ContainerLabels("replica-1", ProcessIdentity.own().toString());
    private static final SecretFile SECRET =
            new SecretFile(
                    "/secrets/key",
                    Base64.getEncoder().encodeToString("t0p".getBytes(StandardCharsets.UTF_8)));

    @TempDir Path place;

    private final ProcessIdentity dead = new ProcessIdentity(ProcessHandle.current().pid(), 1);

    @Test
    void folderIsPrivateAndTheFileIsReadOnly() throws IOException {
        SecretFiles files = new SecretFiles(place, LABELS);

        Path file = files.write(List.of(SECRET), OptionalInt.empty()).files().get("/secrets/key");

        assertThat(file).hasContent("t0p");
        assertThat(permissions(file)).isEqualTo("r--r--r--");
        assertThat(permissions(file.getParent())).isEqualTo("rwx------");
        assertThat(permissions(file.getParent().getParent())).isEqualTo("rwx------");
    }

    @Test
    void filesGoWithTheirContainer() throws IOException {
        SecretFiles files = new SecretFiles(place, LABELS);
        SecretMounts first = files.write(List.of(SECRET), OptionalInt.empty());
        SecretMounts second = files.write(List.of(SECRET), OptionalInt.empty());

        first.close();

        assertThat(first.files().get("/secrets/key")).doesNotExist();
        assertThat(second.files().get("/secrets/key")).exists();
        files.close();
        assertThat(entries()).isEmpty();
    }

    @Test
    void whatADeadOrlojdLeftIsSweptAndNothingElse() throws IOException {
        SecretFiles left =
                new SecretFiles(place, new ContainerLabels("replica-1", dead.toString()));
        left.write(List.of(SECRET), OptionalInt.empty());
        SecretFiles other =
                new SecretFiles(place, new ContainerLabels("replica-2", dead.toString()));
        Path othersFile =
                other.write(List.of(SECRET), OptionalInt.empty()).files().get("/secrets/key");
        SecretFiles own = new SecretFiles(place, LABELS);
        Path ownFile = own.write(List.of(SECRET), OptionalInt.empty()).files().get("/secrets/key");

        own.sweep();

        assertThat(othersFile).exists();
        assertThat(ownFile).exists();
        assertThat(entries()).hasSize(2);
    }

    @Test
    void theFileIsNotInTheTextOfASecret() {
        assertThat(SECRET.toString()).doesNotContain(SECRET.encoded());
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> found = Files.list(place)) {
            return found.toList();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
