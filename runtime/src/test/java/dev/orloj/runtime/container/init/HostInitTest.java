package dev.orloj.runtime.container.init;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/** H-32: only a program without libraries can be process 1 of any image. */
class HostInitTest {

    private static final int LOADED = 1;
    private static final int INTERPRETER = 3;

    @TempDir private Path folder;

    /** The headers of a program for this test's machine, little-endian. */
    private Path program(String name, int... segments) throws IOException {
        ByteBuffer elf = ByteBuffer.allocate(64 + 56 * segments.length);
        elf.putInt(0x7f454c46).put((byte) 2).put((byte) 1).order(ByteOrder.LITTLE_ENDIAN);
        elf.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) segments.length);
        for (int i = 0; i < segments.length; i++) {
            elf.putInt(64 + 56 * i, segments[i]);
        }
        return executable(Files.write(folder.resolve(name), elf.array()));
    }

    private static Path executable(Path file) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void programWithLibrariesIsPassedOver() throws Exception {
        Path dynamic = program("tini", INTERPRETER, LOADED);
        Path whole = program("tini-static", LOADED, LOADED);

        assertThat(HostInit.find(List.of(folder.resolve("none"), dynamic, whole)))
                .contains(whole.toRealPath());
        assertThat(HostInit.find(List.of(dynamic))).isEmpty();
    }

    @Test
    void linkIsFollowedSinceTheEngineFollowsItToo() throws Exception {
        Path whole = program("tini-static", LOADED);
        Path link = Files.createSymbolicLink(folder.resolve("docker-init"), whole);

        assertThat(HostInit.find(List.of(link))).contains(whole.toRealPath());
    }

    @Test
    void whatIsNoProgramIsPassedOver() throws Exception {
        Path script = executable(Files.writeString(folder.resolve("script"), "#!/bin/sh\n"));
        Path empty = executable(Files.createFile(folder.resolve("empty")));
        Path cutOff = program("cut-off", LOADED);
        Files.write(cutOff, Arrays.copyOf(Files.readAllBytes(cutOff), 64));

        assertThat(HostInit.find(List.of(script, empty, cutOff, folder))).isEmpty();
    }
}
