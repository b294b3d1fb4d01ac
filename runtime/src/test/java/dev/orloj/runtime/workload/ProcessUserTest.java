package dev.orloj.runtime.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.workload.ProcessUser.Ids;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class ProcessUserTest {

    private static final Ids ROOT = new Ids(0, 0);

    @TempDir Path folder;

    private ProcessUser user(int uid, int group) {
        return new ProcessUser("mcp", uid, group, folder);
    }

    @Test
    void anAccountIsALineOfPasswd() {
        assertThat(ProcessUser.parse("mcp:x:998:997:MCP servers:/var/lib/mcp:/usr/sbin/nologin"))
                .contains(new ProcessUser("mcp", 998, 997, Path.of("/var/lib/mcp")));
        assertThat(ProcessUser.parse("")).isEmpty();
    }

    @Test
    void anAccountThatDoesNotExistIsNamedWithTheRemedy() {
        assertThatThrownBy(() -> ProcessUser.find("no-such-account"))
                .isInstanceOf(WorkloadException.class)
                .hasMessageStartingWith("user \"no-such-account\" does not exist")
                .hasMessageContaining("useradd");
    }

    @Test
    void aProgramIsTheFirstOneThatTheAccountMayExecute() throws Exception {
        int other = (Integer) Files.getAttribute(folder, "unix:uid") + 990;
        Optional<ProcessUser> user = Optional.of(user(other, other));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path closed = program("closed", "rwx------");
        Path open = program("open", "rwxr-xr-x");
        String path = closed.getParent() + ":" + open.getParent();
        ChildEnvironment child = ChildEnvironment.of(Map.of(), Map.of("PATH", path));
        ChildEnvironment closedOnly =
                ChildEnvironment.of(Map.of(), Map.of("PATH", closed.getParent().toString()));

        assertThat(child.executable("tool")).isEqualTo(closed);
        assertThat(child.executable("tool", user)).isEqualTo(open);
        assertThatThrownBy(() -> closedOnly.executable("tool", user))
                .hasMessageContaining("where user \"mcp\" may execute it");
        assertThatThrownBy(() -> child.executable(closed.toString(), user))
                .hasMessageContaining("cannot be executed by user \"mcp\"");
    }

    private Path program(String name, String mode) throws IOException {
        Path parent = Files.createDirectory(folder.resolve(name));
        Path file = Files.createFile(parent.resolve("tool"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString(mode));
        return file;
    }

    @Test
    void noAccountHasTheRightsOfOrlojd() throws Exception {
        int self = (Integer) Files.getAttribute(folder, "unix:uid");
        assertThatThrownBy(() -> user(0, 5).requireOther(ROOT)).hasMessageContaining("is root");
        assertThatThrownBy(() -> user(990, 5).requireOther(new Ids(990, 990)))
                .hasMessageContaining("the one that orlojd runs as");
        assertThatThrownBy(() -> user(65_534, 65_534).requireOther(ROOT))
                .hasMessageContaining("shared with other programs");
        assertThatThrownBy(() -> user(990, 0).requireOther(ROOT))
                .hasMessageContaining("the group 0, that of root");
        assertThatThrownBy(() -> user(990, 7).requireOther(new Ids(0, 7)))
                .hasMessageContaining("the group 7, that of orlojd");
        assertThatThrownBy(() -> user(990, 990).requireOther(new Ids(1000, 1000)))
                .hasMessageContaining("orlojd has to run as root");
        assertThatThrownBy(() -> user(self + 990, 990).requireOther(ROOT))
                .hasMessageContaining("belongs to another user");
        assertThatThrownBy(
                        () ->
                                new ProcessUser("mcp", 990, 990, folder.resolve("absent"))
                                        .requireOther(ROOT))
                .hasMessageContaining("does not exist")
                .hasMessageContaining("install -d -o mcp");
    }

    @Test
    void programsOfRootGetNoVariableOfTheServer() {
        Map<String, String> carriers =
                user(990, 990).carriers(Map.of("LD_PRELOAD", "/tmp/evil.so", "PATH", "/tmp/evil"));

        assertThat(carriers)
                .containsOnlyKeys("ORLOJ_ENV_0", "ORLOJ_ENV_1", "PATH")
                .containsEntry("PATH", ChildEnvironment.DEFAULT_PATH);
        assertThat(carriers.values()).contains("LD_PRELOAD=/tmp/evil.so", "PATH=/tmp/evil");
    }

    @Test
    void aVariableThatNoShellAcceptsIsNamedButItsValueIsNot() {
        assertThatThrownBy(() -> user(990, 990).carriers(Map.of("BASH_FUNC_x%%", "() { secret; }")))
                .isInstanceOf(WorkloadException.class)
                .hasMessageContaining("\"BASH_FUNC_x%%\"")
                .hasMessageNotContaining("secret");
    }

    @Test
    void theCommandLineHasNoValueOfAVariable() {
        assertThat(user(990, 990).command(1, List.of("/bin/echo", "hello")))
                .endsWith("/bin/echo", "hello")
                .noneMatch(word -> word.contains("evil"))
                .contains("--no-new-privs", "--clear-groups", "--bounding-set=-all");
    }

    @Test
    void aNamespaceCanHaveAnAccountOfItsOwn() {
        ProcessUser web = user(990, 990);
        ProcessUser usual = user(991, 991);

        assertThat(new ProcessUsers(usual, Map.of("web", web)).of("web")).contains(web);
        assertThat(new ProcessUsers(usual, Map.of("web", web)).of("other")).contains(usual);
        assertThat(new ProcessUsers(null, Map.of("web", web)).of("other")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | expected USER or NAMESPACE=USER",
                "a b | expected USER or NAMESPACE=USER",
                "-x | expected USER or NAMESPACE=USER",
                "Web=mcp | expected USER or NAMESPACE=USER",
                "web= | expected USER or NAMESPACE=USER",
                "mcp;mcp2 | another user for all namespaces",
                "web=mcp;web=mcp2 | the namespace has another user",
            })
    void aRuleThatCannotBeMeantIsRefused(String rules, String why) {
        assertThat(ProcessUsers.objection(List.of(rules.split(";", -1))))
                .hasValueSatisfying(objection -> assertThat(objection).contains(why));
    }
}
