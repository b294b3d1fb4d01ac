package dev.orloj.controllers.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.core.Secret;
import dev.orloj.api.core.SecretRef;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

class MountedSecretsTest {

    @TempDir private Path folder;

    private final List<String> changed = new ArrayList<>();

    private MountedSecrets secrets(SecretFolder... folders) {
        MountedSecrets secrets = new MountedSecrets(List.of(folders));
        secrets.poll();
        secrets.onChange((namespace, name) -> changed.add(namespace + "/" + name));
        return secrets;
    }

    private MountedSecrets secrets() {
        return secrets(new SecretFolder("", folder));
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static String value(MountedSecrets secrets, String reference) {
        SecretRef ref = SecretRef.parse(reference);
        Optional<Secret> secret = secrets.find(new ResourceKey("web", ref.name()));
        return secret.flatMap(s -> s.find(ref))
                .map(encoded -> new String(Base64.getDecoder().decode(encoded)))
                .orElse("none");
    }

    /** One version of a volume of Kubernetes: a folder, to which a link leads that is replaced. */
    private void publish(String version, String token, String user) throws IOException {
        Path files = folder.resolve("crm/.." + version);
        Files.createDirectories(files);
        Files.writeString(files.resolve("token"), token);
        Files.writeString(files.resolve("user"), user);
        Path link = folder.resolve("crm/..data_tmp");
        Files.createSymbolicLink(link, Path.of(".." + version));
        Files.move(
                link,
                folder.resolve("crm/..data"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        for (String key : List.of("token", "user")) {
            Path file = folder.resolve("crm").resolve(key);
            if (!Files.exists(file)) {
                Files.createSymbolicLink(file, Path.of("..data", key));
            }
        }
    }

    @Test
    void filesAreSecretsAndFoldersAreSecretsWithKeys() throws IOException {
        write("token", "hush\n");
        write("crm/token", "t\r\n");
        write("crm/user", "u\n\n");
        write(".hidden", "x");

        MountedSecrets secrets = secrets();

        assertThat(value(secrets, "token")).isEqualTo("hush");
        assertThat(value(secrets, "crm/token")).isEqualTo("t");
        assertThat(value(secrets, "crm/user")).isEqualTo("u\n");
        assertThat(value(secrets, "other")).isEqualTo("none");
        assertThat(
                        secrets.find(new ResourceKey("web", "crm"))
                                .orElseThrow()
                                .metadata()
                                .annotations())
                .containsEntry(MountedSecrets.MOUNTED, folder.toString());
    }

    /** The link changes, and no file does: an event of the files would never come. */
    @Test
    void volumeOfKubernetesIsReadAgainWhenItsLinkIsReplaced() throws IOException {
        publish("2026_1", "old", "me");
        MountedSecrets secrets = secrets();
        assertThat(value(secrets, "crm/token")).isEqualTo("old");

        publish("2026_2", "new", "me");
        secrets.poll();

        assertThat(value(secrets, "crm/token")).isEqualTo("new");
        assertThat(value(secrets, "crm/user")).isEqualTo("me");
        assertThat(changed).containsExactly("/crm");
    }

    /** What an agent of Vault does. */
    @Test
    void fileThatIsReplacedByOneOfTheSameSizeAndTimeIsReadAgain() throws IOException {
        Path file = write("token", "old");
        MountedSecrets secrets = secrets();

        Path next = Files.writeString(folder.resolve(".next"), "new");
        Files.setLastModifiedTime(next, Files.getLastModifiedTime(file));
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        secrets.poll();

        assertThat(value(secrets, "token")).isEqualTo("new");
        assertThat(changed).containsExactly("/token");
    }

    @Test
    void nothingIsReportedWhenNothingChanges() throws IOException {
        write("token", "hush");
        MountedSecrets secrets = secrets();

        write("token", "hush\n");
        secrets.poll();

        assertThat(changed).isEmpty();
    }

    @Test
    void fileThatVanishesIsAChangeWithARemedy() throws IOException {
        Files.delete(write("token", "hush"));
        Path file = write("token", "hush");
        MountedSecrets secrets = secrets();

        Files.delete(file);
        secrets.poll();

        assertThat(value(secrets, "token")).isEqualTo("none");
        assertThat(changed).containsExactly("/token");
        assertThat(secrets.remedy(new ResourceKey("web", "token")))
                .contains("the folder \"%s\" has no \"token\"".formatted(folder));
    }

    /** A volume that is away must not end the sessions of all servers. */
    @Test
    void folderThatVanishesLeavesTheLastValues() throws IOException {
        Path mount = folder.resolve("mount");
        Files.createDirectories(mount);
        Files.writeString(mount.resolve("token"), "hush");
        MountedSecrets secrets = secrets(new SecretFolder("", mount));

        Files.move(mount, folder.resolve("away"));
        secrets.poll();

        assertThat(value(secrets, "token")).isEqualTo("hush");
        assertThat(changed).isEmpty();
        assertThat(secrets.remedy(new ResourceKey("web", "other")).orElseThrow())
                .contains("cannot be read", mount.toString());

        Files.move(folder.resolve("away"), mount);
        Files.writeString(mount.resolve("token"), "new");
        secrets.poll();

        assertThat(value(secrets, "token")).isEqualTo("new");
    }

    @Test
    void folderOfANamespaceIsForItsServersOnlyAndAnEarlierOneWins() throws IOException {
        write("a/token", "of a");
        write("b/token", "of b");
        write("b/other", "of b");

        MountedSecrets secrets =
                secrets(
                        new SecretFolder("web", folder.resolve("a")),
                        new SecretFolder("", folder.resolve("b")));

        assertThat(value(secrets, "token")).isEqualTo("of a");
        assertThat(value(secrets, "other")).isEqualTo("of b");
        assertThat(
                        secrets.find(new ResourceKey("default", "token"))
                                .orElseThrow()
                                .spec()
                                .data()
                                .get("value"))
                .isEqualTo("b2YgYg==");
    }

    @Test
    void filesThatAreTooLargeOrTooManyAreNoSecretAndSayWhy() throws IOException {
        write("large", "x".repeat(SecretFolder.MAX_VALUE_BYTES + 1));
        for (int i = 0; i <= SecretFolder.MAX_KEYS; i++) {
            write("many/" + i, "x");
        }
        write("Upper", "x");
        write("good", "x");

        MountedSecrets secrets = secrets();

        assertThat(value(secrets, "good")).isEqualTo("x");
        Stream.of("large", "many")
                .forEach(
                        name -> {
                            assertThat(value(secrets, name)).isEqualTo("none");
                            assertThat(secrets.remedy(new ResourceKey("web", name)).orElseThrow())
                                    .contains("has more than");
                        });
        assertThat(secrets.remedy(new ResourceKey("web", "Upper")).orElseThrow())
                .contains("no name of a Secret");
    }

    /** A team that writes to its folder must not read what orlojd can read. */
    @Test
    void linkThatLeadsOutOfTheFolderIsNotFollowed() throws IOException {
        Path outside = write("outside/key", "of orlojd");
        Files.createDirectories(folder.resolve("own/crm"));
        Files.createSymbolicLink(folder.resolve("own/token"), outside);
        Files.createSymbolicLink(folder.resolve("own/all"), outside.getParent());
        Files.createSymbolicLink(folder.resolve("own/crm/key"), outside);
        Files.createSymbolicLink(folder.resolve("own/crm/..data"), outside.getParent());

        MountedSecrets secrets = secrets(new SecretFolder("", folder.resolve("own")));

        for (String reference : List.of("token", "all/key", "crm/key")) {
            assertThat(value(secrets, reference)).isEqualTo("none");
            assertThat(secrets.remedy(new ResourceKey("web", SecretRef.parse(reference).name())))
                    .get(InstanceOfAssertFactories.STRING)
                    .contains("is a link that leads out of");
        }
    }

    @Test
    @Timeout(20)
    void whatIsNoRegularFileIsNotOpened() throws Exception {
        write("good", "x");
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

        MountedSecrets secrets = secrets();

        assertThat(value(secrets, "good")).isEqualTo("x");
        assertThat(secrets.remedy(new ResourceKey("web", "pipe")).orElseThrow())
                .contains("is no regular file");
    }

    @Test
    void filesThatAreTooLargeTogetherAreLeftOut() throws IOException {
        String large = "x".repeat(SecretFolder.MAX_VALUE_BYTES);
        int fitting = SecretFolder.MAX_BYTES / SecretFolder.MAX_VALUE_BYTES;
        for (int i = 0; i <= fitting; i++) {
            write("s%02d".formatted(i), large);
        }

        MountedSecrets secrets = secrets();

        assertThat(value(secrets, "s%02d".formatted(fitting - 1))).isEqualTo(large);
        assertThat(value(secrets, "s%02d".formatted(fitting))).isEqualTo("none");
        assertThat(secrets.remedy(new ResourceKey("web", "s%02d".formatted(fitting))).orElseThrow())
                .contains("together");
    }

    @Test
    void folderWithTooManyFilesKeepsItsLastSecretsAndSaysWhy() throws IOException {
        write("good", "x");
        MountedSecrets secrets = secrets();
        for (int i = 0; i < SecretFolder.MAX_SECRETS; i++) {
            write("more" + i, "x");
        }
        secrets.poll();

        assertThat(value(secrets, "good")).isEqualTo("x");
        assertThat(value(secrets, "more1")).isEqualTo("none");
        assertThat(secrets.remedy(new ResourceKey("web", "more1")).orElseThrow())
                .contains("has more than 1000 files");
    }

    @Test
    void folderOfANamespaceMustNotBeInOneOfOthers() throws IOException {
        Path all = folder.resolve("all");
        Path inner = Files.createDirectories(all.resolve("web"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), inner);

        for (Path path : List.of(inner, link)) {
            assertThatThrownBy(
                            () ->
                                    SecretFolder.requireApart(
                                            List.of(
                                                    new SecretFolder("", all),
                                                    new SecretFolder("web", path))))
                    .hasMessageContaining(path.toString(), all.toString());
        }
        SecretFolder.requireApart(
                List.of(
                        new SecretFolder("web", folder.resolve("a")),
                        new SecretFolder("", folder.resolve("ab"))));
    }

    @Test
    void annotationOfAStoredSecretIsNoFolder() throws IOException {
        write("token", "hush");
        Secret mounted = secrets().find(new ResourceKey("web", "token")).orElseThrow();
        assertThat(MountedSecrets.folder(mounted)).contains(folder.toString());

        Secret stored =
                new Secret(
                        mounted.apiVersion(),
                        mounted.kind(),
                        new ObjectMeta(
                                "token",
                                "",
                                "web",
                                "u-1",
                                ResourceVersion.UNSET,
                                1,
                                null,
                                null,
                                null,
                                Map.of(),
                                mounted.metadata().annotations(),
                                List.of(),
                                List.of(),
                                null),
                        mounted.spec());
        assertThat(MountedSecrets.folder(stored)).isEmpty();
    }

    @Test
    void stringShowsNoValue() throws IOException {
        write("token", "hush");

        assertThat(secrets().toString()).doesNotContain("hush", "aHVzaA");
    }
}
