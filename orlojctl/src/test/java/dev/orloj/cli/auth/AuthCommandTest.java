package dev.orloj.cli.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.cli.command.CommandTest;
import dev.orloj.cli.testing.CommandLineRun;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins without a browser on this machine, their end, and what is shown of them. */
@Timeout(30)
@DisplayName("auth: login with a pasted address, logout and status")
class AuthCommandTest extends CommandTest {

    private static final String REDIRECT = "http://127.0.0.1:8765/callback";

    @BeforeEach
    void putServers() {
        putServer("default", "crm");
        orlojd.resources().put(server("github"));
    }

    private void putServer(String namespace, String name) {
        orlojd.resources()
                .put(
                        failing(name)
                                .replace(
                                        "\"namespace\": \"default\"",
                                        "\"namespace\": \"" + namespace + "\""));
        orlojd.logins().need(namespace, name);
    }

    private CommandLineRun paste(String address) {
        return ctlReading(
                address + "\n", "auth", "login", "crm", "--paste", "--redirect-port", "8765");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                REDIRECT + "?code=right&state=state-crm&iss=x",
                REDIRECT + "?code=right&state=state-crm&iss=x#_=_",
                "?code=right&state=state-crm&iss=x",
                "  code=right&state=state-crm&iss=x  ",
            })
    void pastedAddressLogsIn(String address) {
        CommandLineRun run = paste(address);

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .isEqualTo(
                        """
                        Logged in at https://login.example.com for mcpserver/crm
                        Scopes: crm.read crm.write
                        The Secret "crm-login" has the tokens.
                        """);
        assertThat(run.err())
                .startsWith(
                        "Open this URL in a browser to log in: https://login.example.com/authorize"
                                + "?state=state-crm&redirect_uri=http%3A%2F%2F127.0.0.1%3A8765")
                .contains("begins with " + REDIRECT + "\n")
                .doesNotContain("ends at");
        assertThat(orlojd.logins().queries()).containsExactly("code=right&state=state-crm&iss=x");
        assertThat(orlojd.logins().isLoggedIn("crm")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://login.example.com/authorize?state=state-crm&redirect_uri=x",
                REDIRECT,
                "code=right",
                "no address at all",
            })
    void addressOfAnotherPageIsNotSent(String address) {
        CommandLineRun run = paste(address);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("orlojctl: this is not the address at the end of a login");
        assertThat(orlojd.logins().queries()).isEmpty();
        assertThat(orlojd.logins().isLoggedIn("crm")).isFalse();
    }

    @Test
    void inputWithoutAddressChangesNothing() {
        CommandLineRun run = ctl("auth", "login", "crm", "--paste");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("orlojctl: there is no address in the input");
        assertThat(orlojd.logins().isLoggedIn("crm")).isFalse();
    }

    @Test
    void refusalOfTheUserIsReported() {
        CommandLineRun run =
                paste("error=access_denied&error_description=not%20today&state=state-crm");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .endsWith("orlojctl: the authorization server refused the login: not today\n");
        assertThat(orlojd.logins().isLoggedIn("crm")).isFalse();
    }

    @Test
    void loginOfAnotherStateIsRefused() {
        assertThat(paste("code=right&state=other").err())
                .endsWith("orlojctl: no login is in progress\n");
        assertThat(orlojd.logins().isLoggedIn("crm")).isFalse();
    }

    @Test
    void textsOfTheServerHaveNoControlCharacters() {
        orlojd.logins().putIssuer("https://evil.example\u001b[2J\nLogged in");

        CommandLineRun run = paste("code=right&state=state-crm");

        assertThat(run.out()).doesNotContain("\u001b").startsWith("Logged in at https://evil");
        assertThat(run.out().lines()).hasSize(3);
        assertThat(ctl("auth", "status").out()).doesNotContain("\u001b").hasLineCount(2);
    }

    @Test
    void loginThatIsNotRenewedSaysWhenItEnds() {
        orlojd.logins().endAtExpiry();

        assertThat(paste("code=right&state=state-crm").err())
                .endsWith(
                        "The login ends at 2026-01-01T01:00:00Z: the authorization server gave no"
                                + " refresh token.\n");
        assertThat(ctl("auth", "status").out()).contains("2026-01-01T01:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "-1", "x", "999999"})
    void portThatIsNoneIsAUsageError(String port) {
        CommandLineRun run = ctl("auth", "login", "crm", "--redirect-port=" + port);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("orlojctl: \"" + port + "\" is no port from 1 to 65535");
        assertThat(orlojd.requests()).isEmpty();
    }

    @Test
    void pastingHasNoTimeout() {
        CommandLineRun run = ctl("auth", "login", "crm", "--paste", "--timeout", "1m");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("orlojctl: --timeout is for the browser");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Revoked | '' | Logged out of mcpserver/crm; its tokens are revoked | ''",
                "Unsupported | '' | Logged out of mcpserver/crm; its authorization server revokes"
                    + " no tokens: they are deleted here, and they remain valid there until they"
                    + " expire | ''",
                "Failed | it answered 500 | Logged out of mcpserver/crm; its tokens are deleted"
                        + " here | Warning: the authorization server did not revoke the tokens: it"
                        + " answered 500; they remain valid there until they expire",
            })
    void logoutSaysWhatBecameOfTheTokens(String outcome, String why, String out, String err) {
        orlojd.logins().logIn("crm");
        orlojd.logins().putRevocation(outcome, why);

        CommandLineRun run = ctl("auth", "logout", "mcp/crm");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().strip()).isEqualTo(out);
        assertThat(run.err().strip()).isEqualTo(err);
        assertThat(orlojd.logins().isLoggedIn("crm")).isFalse();
    }

    @Test
    void logoutWithoutLoginSaysSo() {
        assertThat(ctl("auth", "logout", "crm"))
                .isEqualTo(new CommandLineRun(0, "mcpserver/crm was not logged in\n", ""));
    }

    @Test
    void statusHasTheServersThatNeedALogin() {
        putServer("default", "wiki");
        putServer("team-a", "mail");
        orlojd.logins().logIn("crm");

        assertThat(ctl("auth", "status").out())
                .isEqualTo(
                        """
                        SERVER   LOGIN   ISSUER                      SCOPES               SINCE                  EXPIRES
                        crm      yes     https://login.example.com   crm.read,crm.write   2026-01-01T00:00:00Z   renewed
                        wiki     no      -                           -                    -                      -
                        """);
        assertThat(ctl("auth", "status", "-A", "-o", "wide").out())
                .contains("NAMESPACE", "CLIENT", "SECRET", "crm-login")
                .containsPattern("team-a +mail +no");
        assertThat(ctl("auth", "status", "-o", "name").out())
                .isEqualTo("mcpserver.orloj.dev/crm\nmcpserver.orloj.dev/wiki\n");
        assertThat(ctl("auth", "status", "wiki").out()).contains("wiki").doesNotContain("crm");
    }

    @Test
    void statusOfOneServerIsItsDocument() {
        assertThat(ctl("auth", "status", "crm", "-o", "yaml").out())
                .isEqualTo(
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServerAuthorization
                        metadata:
                          namespace: default
                          name: crm
                        status:
                          loggedIn: false
                          secret: crm-login
                        """);
        assertThat(ctl("auth", "status", "-o", "json").out())
                .contains("\"kind\": \"List\"", "\"name\": \"crm\"");
    }

    @Test
    void statusWithoutSuchServersSaysSo() {
        CommandLineRun run = ctl("auth", "status", "-n", "empty");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("No McpServer of namespace empty has ");
    }

    @Test
    void statusOfNamesIsNotThatOfAllNamespaces() {
        CommandLineRun run = ctl("auth", "status", "crm", "-A");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("orlojctl: --all-namespaces and a SERVER exclude");
    }

    @ParameterizedTest
    @ValueSource(strings = {"login", "logout", "status"})
    void serverWithoutLoginIsRefused(String verb) {
        CommandLineRun run = ctl("auth", verb, "github");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("orlojctl: mcpservers.orloj.dev \"github\" has no login\n");
    }
}
