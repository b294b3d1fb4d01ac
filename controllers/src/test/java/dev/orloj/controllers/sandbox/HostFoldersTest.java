package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.FieldError;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.runtime.container.spec.HostMount;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which folders of the host may be mounted. */
class HostFoldersTest {

    @TempDir private Path temporary;

    private Path root;
    private Path data;
    private HostFolders folders;

    @BeforeEach
    void create() throws IOException {
        root = Files.createDirectory(temporary.toRealPath().resolve("shared"));
        data = Files.createDirectories(root.resolve("orloj/data"));
        Files.createDirectory(temporary.resolve("private"));
        folders = HostFolders.of(List.of(root), List.of(data));
    }

    private List<String> errors(HostFolders some, Path path) {
        return some
                .resolve(List.of(new Sandbox.Mount(path.toString(), "/work", null)))
                .errors()
                .stream()
                .map(FieldError::toString)
                .toList();
    }

    private void assertRefused(Path path, String why) {
        assertThat(errors(folders, path))
                .singleElement()
                .asString()
                .startsWith("spec.mounts[0].host_path: Invalid value: \"" + path + "\": ")
                .contains(why);
    }

    @Test
    void noFolderMayBeMountedUnlessOperatorsSayWhich() {
        assertThat(errors(HostFolders.NONE, root))
                .singleElement()
                .asString()
                .contains("no folder of the host is set aside")
                .contains("--sandbox-mount-root");
    }

    @Test
    void foldersBelowARootMayBeMounted() throws IOException {
        Path workspace = Files.createDirectory(root.resolve("workspace"));
        Path link = Files.createSymbolicLink(root.resolve("link"), workspace);

        assertThat(errors(folders, workspace)).isEmpty();
        assertThat(errors(folders, link)).isEmpty();
        assertThat(folders.resolve(List.of(new Sandbox.Mount(link.toString(), "/work", false))))
                .isEqualTo(
                        new MountResolution.Resolved(
                                List.of(new HostMount(workspace, "/work", false))));
    }

    @Test
    void folderThatIsGivenIsTheOneThatWasCheckedThoughItsLinkIsFlipped() throws Exception {
        Path workspace = Files.createDirectory(root.resolve("workspace"));
        Path link = Files.createSymbolicLink(root.resolve("flipped"), workspace);
        List<Path> followed = new ArrayList<>();

        MountResolution resolution =
                folders.resolve(
                        List.of(new Sandbox.Mount(link.toString(), "/w", null)),
                        path -> {
                            followed.add(path);
                            return followedAndFlipped(path);
                        });

        assertThat(resolution)
                .isEqualTo(
                        new MountResolution.Resolved(
                                List.of(new HostMount(workspace, "/w", true))));
        assertThat(followed).containsExactly(link);
        assertThat(link.toRealPath()).isEqualTo(temporary.toRealPath().resolve("private"));
    }

    /** H-33: the link leads elsewhere right after it was followed. */
    private Optional<Path> followedAndFlipped(Path link) {
        try {
            Path place = link.toRealPath();
            Files.delete(link);
            Files.createSymbolicLink(link, temporary.resolve("private"));
            return Optional.of(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsElsewhereIsRefusedHoweverItIsCalled() throws IOException {
        Path elsewhere = temporary.toRealPath().resolve("private");

        assertRefused(elsewhere, "is not below " + root);
        assertRefused(root.resolve("../private"), "is not below " + root);
        assertRefused(
                Files.createSymbolicLink(root.resolve("out"), elsewhere), "is not below " + root);
        assertRefused(Path.of("/"), "is not below " + root);
        assertRefused(Path.of("/proc/self/root"), "is not below " + root);
    }

    @Test
    void whatBelongsToOrlojdIsRefusedWithAllAboveAndBelow() throws IOException {
        Files.createDirectory(data.resolve("postgres"));

        assertRefused(data, "belongs to the system or to orlojd");
        assertRefused(data.resolve("postgres"), "belongs to the system or to orlojd");
        assertRefused(root.resolve("orloj"), "belongs to the system or to orlojd");
        assertRefused(root, "belongs to the system or to orlojd");
    }

    @Test
    void theSystemStaysOutThoughARootIsAboveIt() {
        HostFolders everything = HostFolders.of(List.of(Path.of("/")), List.of(data));

        for (String path : List.of("/", "/proc", "/sys/kernel", "/dev", "/run", "/var/run")) {
            assertThat(errors(everything, Path.of(path)))
                    .as(path)
                    .singleElement()
                    .asString()
                    .contains("belongs to the system or to orlojd");
        }
    }

    @Test
    void whatIsNoFolderIsRefused() throws IOException {
        assertRefused(root.resolve("missing"), "is no folder");
        assertRefused(Files.createFile(root.resolve("file")), "is no folder");
    }

    @Test
    void rootsAreFoldersThatMayBeGivenAway() {
        for (Path wrong : List.of(Path.of("relative"), root.resolve("missing"), Path.of("/proc"))) {
            assertThatThrownBy(() -> HostFolders.of(List.of(wrong), List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--sandbox-mount-root " + wrong);
        }
    }
}
