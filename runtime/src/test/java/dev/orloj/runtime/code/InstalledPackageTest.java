package dev.orloj.runtime.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class InstalledPackageTest {

    @TempDir Path folder;

    private Path write(String file, String content) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content);
    }

    @Test
    void packageOfNpmHasTheIntegrityOfItsLockFile() throws IOException {
        write("_npx/ab/node_modules/@x/mail/package.json", "{\"version\": \"1.0.15\"}");
        write(
                "_npx/ab/node_modules/.package-lock.json",
                "{\"packages\": {\"node_modules/@x/mail\": {\"integrity\": \"sha512-a\"}}}");
        Path bin = write("_npx/ab/node_modules/.bin/mail", "");
        assertThat(InstalledPackage.find("@x/mail", List.of(Path.of("/usr/bin/node"), bin)))
                .contains(new InstalledPackage("@x/mail", "1.0.15", "sha512-a"));
        assertThat(InstalledPackage.find("other", List.of(bin))).isEmpty();
        assertThat(InstalledPackage.find("../../mail", List.of(bin))).isEmpty();
    }

    @Test
    void packageOfPythonIsThatOfItsRecordedFilesInEachEnvironment() throws IOException {
        String record = "mail_server/a.py,sha256=%s,10\n../../../bin/mail,sha256=%s,20\n";
        for (String cache : List.of("a", "b", "c")) {
            String digest = cache.equals("c") ? "changed" : "same";
            write(
                    cache + "/lib/python3.12/site-packages/mail_server-0.4.1.dist-info/RECORD",
                    record.formatted(digest, cache));
            write(cache + "/bin/mail", "");
        }
        InstalledPackage first = python("a");
        assertThat(first.version()).isEqualTo("0.4.1");
        assertThat(python("b")).isEqualTo(first);
        assertThat(python("c")).isNotEqualTo(first);
    }

    private InstalledPackage python(String cache) {
        return InstalledPackage.find("Mail.Server", List.of(folder.resolve(cache + "/bin/mail")))
                .orElseThrow();
    }
}
