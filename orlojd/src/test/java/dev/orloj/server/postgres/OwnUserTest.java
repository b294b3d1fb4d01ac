package dev.orloj.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** H-26: the number that the PostgreSQL of root runs as. */
class OwnUserTest {

    private static final String ALL = "0 0 4294967295\n";

    @TempDir Path machine;

    private OwnUser users;

    @BeforeEach
    void makeMachine() throws IOException {
        Files.createDirectories(machine.resolve("etc"));
        Files.createDirectories(machine.resolve("proc/self"));
        users = new OwnUser(machine.resolve("etc"), machine.resolve("proc"));
        write("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n");
        write("etc/group", "root:x:0:\n");
        map(ALL);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(machine.resolve(name), text);
    }

    private void map(String text) throws IOException {
        write("proc/self/uid_map", text);
        write("proc/self/gid_map", text);
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectory(machine.resolve(name));
    }

    private int chosen(Path directory) throws IOException {
        return users.forDirectory(directory).orElseThrow();
    }

    @Test
    void eachDirectoryKeepsANumberOfItsOwn() throws IOException {
        Path one = directory("one");
        Path other = directory("other");

        int ofOne = chosen(one);

        assertThat(ofOne).isBetween(1_879_048_192, 2_147_483_646);
        assertThat(chosen(other)).isNotEqualTo(ofOne);
        assertThat(chosen(one)).isEqualTo(ofOne);
    }

    @Test
    void copyOfADirectoryGetsAnother() throws IOException {
        Path one = directory("one");
        int ofOne = chosen(one);
        Path copy = directory("copy");
        Files.copy(one.resolve("uid"), copy.resolve("uid"), StandardCopyOption.COPY_ATTRIBUTES);

        int ofCopy = chosen(copy);

        assertThat(ofCopy).isNotEqualTo(ofOne);
        assertThat(chosen(copy)).isEqualTo(ofCopy);
    }

    @Test
    void numberThatAnAccountGetsIsGivenUp() throws IOException {
        Path one = directory("one");
        int before = chosen(one);
        write("etc/passwd", "late:x:%d:100::/:/bin/sh\n".formatted(before));

        assertThat(chosen(one)).isNotEqualTo(before);
    }

    /** Of the 606 numbers, all but one belong to a user, a group or a container of a user. */
    @Test
    void whatAccountsAndTheirContainersHaveIsLeftToThem() throws IOException {
        map("0 1000 1\n1 100000 65536\n");
        write("etc/passwd", accounts(60_578, 60_700));
        write("etc/group", accounts(60_701, 60_800));
        write("etc/subuid", "alice:60801:199\n");
        write("etc/subgid", "alice:61000:183\n");

        assertThat(chosen(directory("last"))).isEqualTo(61_183);
    }

    private static String accounts(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(id -> "a%d:x:%d:\n".formatted(id, id))
                .collect(Collectors.joining());
    }

    @Test
    void containerWithFewNumbersHasNone() throws IOException {
        map("0 1000 1\n");

        assertThat(users.forDirectory(directory("few"))).isEmpty();
    }

    @Test
    void recordThatIsNoneOfOursIsReplaced() throws IOException {
        Path one = directory("one");
        for (String record : new String[] {"", "0 " + one, "1000 " + one, "x", "9999999999 /"}) {
            Files.writeString(one.resolve("uid"), record);

            assertThat(chosen(one)).as(record).isGreaterThanOrEqualTo(1_879_048_192);
        }
    }
}
