package dev.orloj.runtime.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.signature.Sha256;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

class FileDigestTest {

    @TempDir private Path folder;

    @Test
    void aChangeThatKeepsSizeAndTimeIsSeen() throws IOException {
        Path program = Files.writeString(folder.resolve("program"), "good");
        FileTime time = Files.getLastModifiedTime(program);
        String before = FileDigest.of(program).orElseThrow();

        Files.writeString(program, "evil");
        Files.setLastModifiedTime(program, time);

        assertThat(FileDigest.of(program)).hasValue("sha256:" + Sha256.hex("evil"));
        assertThat(before).isEqualTo("sha256:" + Sha256.hex("good"));
    }

    @Test
    void whatIsKnownOfAFileIsItsDigest() throws IOException {
        Path file = Path.of(System.getProperty("java.home"), "release");
        String digest = "sha256:" + Sha256.hex(Files.readAllBytes(file));

        assertThat(FileDigest.of(file)).hasValue(digest);
        assertThat(FileDigest.of(file)).hasValue(digest);
    }

    @Test
    void whatIsNoFileHasNone() {
        assertThat(FileDigest.of(folder)).isEmpty();
        assertThat(FileDigest.of(folder.resolve("missing"))).isEmpty();
    }
}
