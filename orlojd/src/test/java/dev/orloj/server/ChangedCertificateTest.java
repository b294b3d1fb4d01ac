package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.certificate.TestCertificates;
import dev.orloj.server.testing.CuttingProxy;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.PolicyProbe;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Another server behind an https endpoint, with every definition as it was, whose certificate
 * orlojd trusts. The servers have no session ids, so the new one answers requests of a session with
 * the old one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChangedCertificateTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String PASSWORD = "changeit";

    @TempDir static Path folder;
    @TempDir static Path data;

    private final List<Certificate> certificates = new ArrayList<>();

    /** The server that is trusted, the same with a renewed certificate, and another one. */
    private FakeHttpServer before;

    private FakeHttpServer renewed;
    private FakeHttpServer after;
    private OrlojdProcess orlojd;
    private PolicyProbe probe;

    @BeforeAll
    void start() throws Exception {
        before = server("CN=R10, O=Trusted Authority, C=US");
        renewed = server("CN=R11, O=Trusted Authority, C=US");
        after = server("CN=R10, O=Other Authority, C=US");
        orlojd =
                OrlojdProcess.startWith(
                        TestCertificates.trusting(folder.resolve("trust.p12"), certificates), data);
        probe = new PolicyProbe(orlojd.client());
    }

    private FakeHttpServer server(String issuer)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = folder.resolve(certificates.size() + ".p12");
        KeyStore certificate = TestCertificates.selfIssued(file, issuer, PASSWORD);
        certificates.add(certificate.getCertificate(certificate.aliases().nextElement()));
        return FakeHttpServer.start(
                FakeScript.wellBehaved(), TestCertificates.serving(certificate, PASSWORD));
    }

    @AfterAll
    void stop() throws InterruptedException {
        orlojd.close();
        before.close();
        renewed.close();
        after.close();
    }

    @ParameterizedTest
    @CsvSource({"q-mail, on_change: quarantine", "o-mail, on_change_of: {runs: quarantine}"})
    void serverWithACertificateOfAnotherOrganizationIsWithheldUntilAUserApprovesIt(
            String server, String policy) throws IOException {
        try (CuttingProxy way = serve(server, "tool_policy: {%s}".formatted(policy))) {
            int calls = after.received("tools/call").size();

            way.redirect(after.endpoint().toString());

            await().atMost(TIMEOUT).until(() -> call(server).code() == 403);
            assertThat(after.received("tools/call")).hasSize(calls);
            assertThat(probe.held(server)).containsOnlyKeys("server/runs");
            for (String type : List.of("Ready", "ToolsApproved")) {
                assertThat(probe.condition(server, type).path("message").asString())
                        .contains("certificate Trusted Authority is now Other Authority");
            }
            assertThat(probe.condition(server, "Ready").path("reason").asString())
                    .isEqualTo("Withheld");

            probe.decide(server, "server/runs", "Approved");

            await().atMost(TIMEOUT).until(() -> call(server).code() == 200);
            assertThat(after.received("tools/call")).hasSize(calls + 1);
            assertThat(probe.held(server)).isEmpty();
            probe.assertThatLedgerIsWhole(server);
        }
    }

    @Test
    void renewedCertificateOfTheSameOrganizationIsNoChange() throws IOException {
        String server = "q-renewed";
        try (CuttingProxy way = serve(server, "tool_policy: {on_change: quarantine}")) {

            way.redirect(renewed.endpoint().toString());

            awaitCalled(server, renewed);
            assertThat(probe.held(server)).isEmpty();
            assertThat(probe.operationsOfRuns(server)).containsExactly("Enrolled");
        }
    }

    @Test
    void certificateOfAnotherOrganizationIsRecordedWithoutAPolicy() throws IOException {
        String server = "a-mail";
        try (CuttingProxy way = serve(server, "")) {

            way.redirect(after.endpoint().toString());
            awaitCalled(server, after);
            orlojd.client().post(PolicyProbe.path(server) + "/restart", "{}");

            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(probe.operationsOfRuns(server))
                                            .containsExactly("Enrolled", "Changed"));
            probe.assertThatLedgerIsWhole(server);
        }
    }

    /** Creates a server behind a way that leads to the trusted one, and calls it. */
    private CuttingProxy serve(String server, String policy) {
        CuttingProxy way = new CuttingProxy(before.endpoint().toString());
        String endpoint = way.url().replace("http:", "https:") + "/mcp";
        orlojd.client()
                .create("default", "mcpservers", RunningOrlojd.http(server, endpoint, policy));
        awaitCalled(server, before);
        return way;
    }

    private RestClient.Answer call(String server) {
        return orlojd.client().call("default", server + "--echo", "{}");
    }

    private void awaitCalled(String server, FakeHttpServer called) {
        int calls = called.received("tools/call").size();
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                call(server).code() == 200
                                        && called.received("tools/call").size() > calls);
    }
}
