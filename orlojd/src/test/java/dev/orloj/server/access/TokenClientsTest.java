package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tokens in the hands of kubectl and orlojctl, over TLS. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenClientsTest {

    @TempDir static Path data;
    @TempDir static Path folder;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private String kubectl = "";

    @BeforeAll
    void start() throws Exception {
        kubectl = run(List.of("src/test/clients/kubectl/fetch", "1.33")).output().strip();
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    private record Result(int code, String output) {}

    private static Result run(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment().put("HOME", folder.toString());
        program.environment().put("XDG_CACHE_HOME", cache());
        int code =
                program.redirectErrorStream(true).redirectOutput(output.toFile()).start().waitFor();
        return new Result(code, Files.readString(output));
    }

    /** Where the build keeps kubectl, in spite of the other home. */
    private static String cache() {
        String given = System.getenv("XDG_CACHE_HOME");
        return given == null ? System.getenv("HOME") + "/.cache" : given;
    }

    private String kubectl(Path kubeconfig, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(kubectl, "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(arguments));
        return run(command).output().strip();
    }

    private Path owner() {
        return data.resolve("kubeconfig");
    }

    /** Returns a kubeconfig with the address and the authority of the owner's, and no user. */
    private Path withoutAUser() throws Exception {
        Path file = Files.createTempFile(folder, "kubeconfig", ".yaml");
        List<String> lines =
                Files.readAllLines(owner()).stream()
                        .filter(line -> !line.contains("client-certificate-data"))
                        .filter(line -> !line.contains("client-key-data"))
                        .toList();
        Files.write(file, lines);
        return file;
    }

    @Test
    void kubectlCreatesAndUsesATokenOfAServiceAccount() throws Exception {
        assertThat(kubectl(owner(), "create", "serviceaccount", "agent"))
                .isEqualTo("serviceaccount/agent created");
        assertThat(
                        kubectl(
                                owner(),
                                "create",
                                "clusterrolebinding",
                                "agent-views",
                                "--clusterrole=view",
                                "--serviceaccount=default:agent"))
                .isEqualTo("clusterrolebinding.rbac.authorization.k8s.io/agent-views created");
        String token = kubectl(owner(), "create", "token", "agent", "--duration=20m");
        assertThat(token.split("\\.")).hasSize(3);
        Path anonymous = withoutAUser();

        assertThat(kubectl(anonymous, "--token", token, "auth", "whoami"))
                .contains("system:serviceaccount:default:agent");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> kubectl(anonymous, "--token", token, "get", "sa").contains("agent"));
        assertThat(kubectl(anonymous, "--token", token, "delete", "sa", "agent"))
                .contains("cannot delete resource \"serviceaccounts\" in API group \"\"");
        assertThat(kubectl(anonymous, "--token", token + "x", "get", "sa"))
                .contains("You must be logged in to the server");
        assertThat(kubectl(owner(), "create", "token", "agent", "--duration=1m"))
                .contains("failed to create token:")
                .contains("may not specify a duration less than 10 minutes");
        assertThat(kubectl(owner(), "create", "token", "absent"))
                .contains("failed to create token: serviceaccounts \"absent\" not found");
    }

    private record Line(int exitCode, String out, String err) {}

    private Line ctl(String... arguments) {
        return ctl(owner(), arguments);
    }

    private static Line ctl(Path kubeconfig, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of("KUBECONFIG", kubeconfig.toString()),
                        InstantSource.system());
        int code = Orlojctl.run(console, arguments);
        console.out().flush();
        return new Line(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** As on the machine of a colleague, who has nothing but an address and a token. */
    @Test
    void kubectlUsesAContextThatWasImported() throws Exception {
        Path token = Files.createTempFile(folder, "token", ".txt");
        Files.writeString(token, ctl("create", "token", "--user", "eve").out());
        Path imported = folder.resolve("imported");
        String authority = TestCertificates.fingerprint(data);

        Line done =
                ctl(
                        imported,
                        "config",
                        "import",
                        orlojd.url(),
                        "--name",
                        "team",
                        "-n",
                        "web",
                        "--fingerprint",
                        authority,
                        "--token-file",
                        token.toString(),
                        "--use-context");

        assertThat(done.exitCode()).as(done.err()).isZero();
        assertThat(kubectl(imported, "auth", "whoami")).contains("eve");
        assertThat(kubectl(imported, "get", "mcpservers"))
                .contains("User \"eve\" cannot list", "in the namespace \"web\"");
    }

    @Test
    void orlojctlCreatesListsAndRevokesATokenOfAUser() throws Exception {
        Line created =
                ctl(
                        "create",
                        "token",
                        "--user",
                        "ann",
                        "--group",
                        "web",
                        "--expires",
                        "2d",
                        "--name",
                        "ann-laptop");
        assertThat(created.exitCode()).as(created.err()).isZero();
        String token = created.out().strip();
        assertThat(created.err()).contains("token \"ann-laptop\" of user \"ann\"");
        assertThat(orlojd.bearer(token).get("/api").code()).isEqualTo(200);

        Line listed = ctl("token", "list");
        assertThat(listed.out()).contains("ann-laptop", "web").doesNotContain(token);

        assertThat(ctl("token", "revoke", "ann-laptop").out())
                .isEqualTo("token \"ann-laptop\" revoked\n");
        assertThat(orlojd.bearer(token).get("/api").code()).isEqualTo(401);
        assertThat(ctl("token", "revoke", "ann-laptop").err())
                .contains("usertokens.orloj.dev \"ann-laptop\" not found");
        assertThat(ctl("create", "token").exitCode()).isEqualTo(2);
    }

    @Test
    void orlojctlCreatesATokenOfAServiceAccount() throws Exception {
        await().until(() -> ctl("create", "token", "default").exitCode() == 0);
        String token = ctl("create", "token", "default", "--expires", "20m").out().strip();

        assertThat(
                        orlojd.bearer(token)
                                .post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                                .text())
                .contains("system:serviceaccount:default:default");
    }
}
