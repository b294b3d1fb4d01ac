package dev.orloj.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** H-26: who may look into the data directory. */
class DataDirectoryAccessTest {

    @TempDir Path folder;

    private String prepared(Path directory) throws IOException {
        return permissions(new DataDirectory(directory).prepare());
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path existing(String permissions) throws IOException {
        Path directory = Files.createDirectory(folder.resolve(permissions));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        return directory;
    }

    /** The PostgreSQL of root is another user, who has to pass. */
    private static String closed(Path owned) throws IOException {
        return Files.getAttribute(owned, "unix:uid").equals(0) ? "rwx--x--x" : "rwx------";
    }

    @Test
    void aNewOneIsPrivate() throws IOException {
        assertThat(prepared(folder.resolve("a/b"))).isEqualTo(closed(folder));
    }

    @Test
    void oneOfAnEarlierOrlojdIsClosed() throws IOException {
        Path directory = existing("rwxr-xr-x");
        Files.createFile(directory.resolve("replica-id"));

        assertThat(prepared(directory)).isEqualTo(closed(folder));
    }

    @Test
    void nothingThatIsClosedIsOpened() throws IOException {
        Path directory = existing("rwx------");
        Files.createFile(directory.resolve("replica-id"));

        assertThat(prepared(directory)).isEqualTo("rwx------");
    }

    @Test
    void folderOfOthersIsLeftAsItIs() throws IOException {
        assertThat(prepared(existing("rwxrwxrwx"))).isEqualTo("rwxrwxrwx");
    }

    /** A volume of Kubernetes, or the folder of a user whose orlojd is started by root. */
    @Test
    void directoryOfAnotherUserIsLeftAsItIsByEveryStart() throws IOException {
        Path directory = existing("rwxr-xr-x");
        Files.createFile(directory.resolve("replica-id"));
        long another = 1 + (Integer) Files.getAttribute(directory, "unix:uid");

        new DataDirectory(directory).prepare(another);

        assertThat(permissions(directory)).isEqualTo("rwxr-xr-x");
    }

    @ParameterizedTest
    @ValueSource(ints = {01777, 02775, 02755, 0777})
    void directoryThatIsSharedIsLeftAsItIsByEveryStart(int mode) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("shared"));
        Files.createFile(directory.resolve("replica-id"));
        Files.setAttribute(directory, "unix:mode", mode);

        new DataDirectory(directory).prepare();

        assertThat((Integer) Files.getAttribute(directory, "unix:mode") & 07777).isEqualTo(mode);
    }
}
