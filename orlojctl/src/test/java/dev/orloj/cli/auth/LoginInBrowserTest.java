package dev.orloj.cli.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.output.Console;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Logins whose browser comes back to the command. */
@Timeout(60)
@DisplayName("auth login: the end of the login in the browser, and requests that are none")
class LoginInBrowserTest extends CommandTest {

    private static final Pattern REDIRECT =
            Pattern.compile("redirect_uri=http%3A%2F%2F127\\.0\\.0\\.1%3A(\\d+)%2Fcallback\n");
    private static final ResourceKey SERVER = new ResourceKey("default", "crm");
    private static final String RIGHT = "/callback?code=right&state=state-crm";

    @TempDir private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, String> environment = new HashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeEach
    void putServer() {
        orlojd.resources().put(failing("crm"));
        orlojd.logins().need("default", "crm");
        environment.put("ORLOJCTL_SERVER", orlojd.url());
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private Future<Integer> login(String... more) {
        Console console =
                new Console(
                        InputStream.nullInputStream(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        environment,
                        clock);
        String[] line = new String[more.length + 3];
        System.arraycopy(new String[] {"auth", "login", "crm"}, 0, line, 0, 3);
        System.arraycopy(more, 0, line, 3, more.length);
        return threads.submit(() -> Orlojctl.run(console, line));
    }

    private String printed() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Returns the port at which the command waits, once it has said where to log in. */
    private int port() {
        await().until(() -> REDIRECT.matcher(printed()).find());
        Matcher found = REDIRECT.matcher(printed());
        assertThat(found.find()).isTrue();
        return Integer.parseInt(found.group(1));
    }

    /** Returns the whole response to one request. */
    private static String send(int port, String method, String target, String host)
            throws Exception {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            String head = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String get(int port, String target) throws Exception {
        return send(port, "GET", target, "127.0.0.1:" + port);
    }

    @Test
    void answerOfTheBrowserLogsIn() throws Exception {
        Future<Integer> exitCode = login("--no-browser");

        String page = get(port(), RIGHT + "&iss=https%3A%2F%2Flogin.example.com");

        assertThat(exitCode.get()).as(printed()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("Logged in at https://login.example.com for mcpserver/crm\n");
        assertThat(orlojd.logins().isLoggedIn("crm")).isTrue();
        assertThat(orlojd.logins().queries())
                .containsExactly("code=right&state=state-crm&iss=https%3A%2F%2Flogin.example.com");
        assertThat(page)
                .startsWith("HTTP/1.1 200 ")
                .containsIgnoringCase("Cache-Control: no-store\r\n")
                .containsIgnoringCase("Referrer-Policy: no-referrer\r\n")
                .containsIgnoringCase("Content-Security-Policy: default-src 'none'")
                .contains("Go back to the terminal")
                .doesNotContain("right", "state-crm");
    }

    @Test
    void browserGetsThePageBeforeTheCommandGoesOn() throws Exception {
        try (CallbackListener listener = CallbackListener.on(0)) {
            listener.expect(Optional.of("state-crm"));
            int port = URI.create(listener.redirectUri()).getPort();
            try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
                // The exchange stays open, since the body that is announced does not come.
                String head =
                        "GET %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n"
                                .formatted(RIGHT);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));

                assertThat(listener.await(Duration.ofSeconds(30))).isPresent();
                listener.close();

                assertThat(socket.getInputStream().readAllBytes())
                        .asString(StandardCharsets.UTF_8)
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("</html>\n");
            }
        }
    }

    @Test
    void refusalInTheBrowserIsAFailure() throws Exception {
        Future<Integer> exitCode = login("--no-browser");

        get(port(), "/callback?error=access_denied&error_description=no&state=state-crm");

        assertThat(exitCode.get()).isEqualTo(1);
        assertThat(printed())
                .endsWith("orlojctl: the authorization server refused the login: no\n");
    }

    @Test
    void requestsThatAreNotTheEndOfTheLoginAreIgnored() throws Exception {
        Future<Integer> exitCode = login("--no-browser");
        int port = port();
        String own = "127.0.0.1:" + port;

        assertThat(get(port, "/favicon.ico")).startsWith("HTTP/1.1 404 ");
        assertThat(get(port, "/callback/x?code=right&state=state-crm")).startsWith("HTTP/1.1 404 ");
        assertThat(get(port, "/callback")).startsWith("HTTP/1.1 400 ");
        assertThat(get(port, "/callback?state=state-crm")).startsWith("HTTP/1.1 400 ");
        assertThat(get(port, "/callback?code=wrong&state=%3Cscript%3E"))
                .startsWith("HTTP/1.1 400 ")
                .doesNotContain("<script>");
        assertThat(get(port, RIGHT + "&x=" + "x".repeat(20_000))).startsWith("HTTP/1.1 414 ");
        assertThat(send(port, "POST", RIGHT, own)).startsWith("HTTP/1.1 405 ");
        assertThat(send(port, "HEAD", RIGHT, own)).startsWith("HTTP/1.1 405 ");
        assertThat(send(port, "GET", RIGHT, "evil.example")).startsWith("HTTP/1.1 403 ");
        assertThat(send(port, "GET", RIGHT, "127.0.0.1.evil.example:" + port))
                .startsWith("HTTP/1.1 403 ");
        assertThat(orlojd.logins().queries()).isEmpty();
        assertThat(exitCode.isDone()).isFalse();

        assertThat(send(port, "GET", RIGHT, "localhost:" + port)).startsWith("HTTP/1.1 200 ");
        assertThat(exitCode.get()).isZero();
    }

    @Test
    void onlyTheFirstAnswerCounts() throws Exception {
        try (CallbackListener listener = CallbackListener.on(0)) {
            int port = URI.create(listener.redirectUri()).getPort();
            String early = get(port, "/callback?code=early&state=s");
            listener.expect(Optional.of("s"));
            String first = get(port, "/callback?code=first&state=s");
            String second = get(port, "/callback?code=second&state=s");

            assertThat(early).startsWith("HTTP/1.1 400 ");
            assertThat(first).startsWith("HTTP/1.1 200 ");
            assertThat(second).startsWith("HTTP/1.1 400 ");
            assertThat(listener.await(Duration.ofSeconds(30)))
                    .contains(new RedirectQuery("code=first&state=s"));
        }
    }

    /** The URL of a pushed authorization request has no state. */
    @Test
    void answerOfAPushedRequestLogsIn() throws Exception {
        orlojd.logins()
                .putPage("https://login.example.com/authorize?request_uri=urn:a#redirect_uri=%2$s");
        Future<Integer> exitCode = login("--no-browser");

        assertThat(get(port(), RIGHT)).startsWith("HTTP/1.1 200 ");
        assertThat(exitCode.get()).as(printed()).isZero();
    }

    @Test
    void browserThatDoesNotComeBackIsATimeout() throws Exception {
        assertThat(login("--no-browser", "--timeout", "1ms").get()).isEqualTo(4);
        assertThat(printed())
                .endsWith(
                        "orlojctl: timed out waiting for the login of mcpserver/crm in the browser;"
                                + " run the command again, with a longer --timeout if you need"
                                + " one\n");
    }

    @Test
    void portInUseIsNamedBeforeALoginBegins() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            String port = "" + taken.getLocalPort();

            assertThat(login("--redirect-port", port).get()).isEqualTo(1);
            assertThat(printed())
                    .startsWith("orlojctl: cannot listen on 127.0.0.1:" + port)
                    .contains("choose another --redirect-port, or use --paste");
            assertThat(orlojd.requests()).isEmpty();
        }
    }

    /** An authorization server that compares redirect URIs then needs one registration only. */
    @Test
    void everyLoginAtAServerEndsAtTheSamePort() throws Exception {
        Future<Integer> first = login("--no-browser");
        int port = port();
        get(port, RIGHT);
        assertThat(first.get()).as(printed()).isZero();
        err.reset();

        Future<Integer> second = login("--no-browser");
        assertThat(port()).isEqualTo(port).isEqualTo(LoginPort.of(SERVER));
        get(port, RIGHT);
        assertThat(second.get()).isZero();
        assertThat(LoginPort.of(new ResourceKey("default", "other"))).isNotEqualTo(port);
    }

    @Test
    void portOfTheServerThatIsTakenIsReplacedByAFreeOne() throws Exception {
        int usual = LoginPort.of(SERVER);
        try (ServerSocket taken = new ServerSocket(usual, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Future<Integer> exitCode = login("--no-browser");

            assertThat(port()).isNotEqualTo(taken.getLocalPort());
            get(port(), RIGHT);
            assertThat(exitCode.get()).as(printed()).isZero();
        }
    }

    @Test
    void withoutADesktopItNamesTheOtherWays() throws Exception {
        Future<Integer> exitCode = login();
        get(port(), RIGHT);

        assertThat(exitCode.get()).isZero();
        assertThat(printed()).contains("No browser opens here.", "--paste", "ssh -L");
    }

    /** Mistake 17: an address that orlojd did not refuse, with a browser to open it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd#%s%s",
                "javascript:x%s%s",
                "-x%s%s",
                "https://a b",
                "https://login.example.com/$(touch stolen)#%s%s",
                "https://login.example.com/$(id)?state=%s&redirect_uri=%s",
                "https://login.example.com/?state=%s&redirect_uri=%s&a=`id`",
                "https://login.example.com/?state=%s&redirect_uri=%s&a=1;id",
                "https://login.example.com/?state=%s&redirect_uri=%s&a='id'",
                "https://user@login.example.com/?state=%s&redirect_uri=%s",
            })
    @EnabledOnOs(OS.LINUX)
    void addressThatIsNoWebPageIsNotOpened(String page) throws Exception {
        Path opened = putBrowser();
        orlojd.logins().putPage(page);

        assertThat(login().get()).isEqualTo(1);
        assertThat(printed())
                .startsWith("orlojctl: the authorization server of mcpserver/crm has no")
                .doesNotContain("Open this URL");
        assertThat(opened).doesNotExist();
    }

    /** Returns the file that a browser of the desktop writes its arguments to. */
    private Path putBrowser() throws Exception {
        Path opened = folder.resolve("opened");
        Path program = folder.resolve("xdg-open");
        Files.writeString(
                program,
                """
                #!/bin/sh
                printf '%%s\\n' "$#" "$1" >%1$s.part
                /bin/mv %1$s.part %1$s
                """
                        .formatted(opened));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        environment.put("PATH", folder.toString());
        environment.put("DISPLAY", ":7");
        return opened;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @EnabledOnOs(OS.LINUX)
    void browserGetsTheUrlAsOneArgument(boolean isWanted) throws Exception {
        Path opened = putBrowser();

        Future<Integer> exitCode = isWanted ? login() : login("--no-browser");
        int port = port();
        if (isWanted) {
            await().until(() -> Files.exists(opened));
            assertThat(opened)
                    .hasContent(
                            "1\n"
                                + "https://login.example.com/authorize?state=state-crm&redirect_uri=http%3A%2F%2F127.0.0.1%3A"
                                    + port
                                    + "%2Fcallback");
        }
        get(port, RIGHT);

        assertThat(exitCode.get()).isZero();
        assertThat(Files.exists(opened)).isEqualTo(isWanted);
        assertThat(printed()).doesNotContain("No browser");
    }
}
