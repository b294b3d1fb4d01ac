package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.core.Secret;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.EngineUnavailableException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** H-07: what the status of a server says while its image is pulled, and when it does not come. */
class ImagePullStatusTest extends GitServerScenario {

    private static final String IMAGE = "ghcr.io/acme/git:1";
    private static final String SPEC =
            "\"transport\": \"stdio\", \"image\": \""
                    + IMAGE
                    + "\", \"env\": [{\"name\": \"TOKEN\","
                    + " \"secretRef\": \"creds/token\"}], \"reconnect\": {\"max_attempts\": 1}";

    private final ScriptedServers.Script container = harness.servers.script(IMAGE);

    private ContainerOwner owner() {
        McpServer server = harness.server(KEY);
        return new ContainerOwner("default", "git", server.metadata().uid());
    }

    @Test
    void secretThatHasComeIsNotSaidToBeMissingWhileTheImageIsPulled() throws InterruptedException {
        applyAndSettle(SPEC);
        assertCondition("Accepted", Condition.Status.FALSE, "SecretNotFound");
        CountDownLatch pull = container.hangWhenOpened();
        container.offer("log");

        harness.store.create(Secret.KIND, Manifests.secret("default", "creds", "token", "x"));
        harness.look(KEY);
        harness.containers().pulling(owner(), IMAGE, "12 of 80 MB");
        harness.look(KEY);

        assertCondition("Accepted", Condition.Status.TRUE, "Accepted");
        assertCondition("Connected", Condition.Status.FALSE, "Connecting");
        assertCondition("ImagePulled", Condition.Status.FALSE, "Pulling");
        assertThat(condition("ImagePulled").message()).contains("12 of 80 MB");
        assertThat(condition("Ready").message()).doesNotContain("creds");

        harness.containers().pulled(owner(), IMAGE);
        pull.countDown();
        harness.reconcileUntilSteady(KEY);
        assertCondition("ImagePulled", Condition.Status.TRUE, "Pulled");
        assertCondition("Ready", Condition.Status.TRUE, "SessionOpen");
    }

    @Test
    void imageThatDoesNotComeIsReportedByBothConditionsAndNotPulledAgainAtOnce()
            throws InterruptedException {
        harness.store.create(Secret.KIND, Manifests.secret("default", "creds", "token", "x"));
        container.refuseToOpen("Image \"ghcr.io/acme/git:1\" could not be pulled");
        harness.apply(Manifests.server("default", "git", SPEC));
        harness.look(KEY);
        // The opening is over a moment before its failure is reported.
        await().until(() -> harness.failedToOpen(KEY));
        harness.containers().pulling(owner(), IMAGE, "");
        harness.containers().notPulled(owner(), IMAGE, "denied");
        harness.reconcileUntilSteady(KEY);

        assertCondition("ImagePulled", Condition.Status.FALSE, "PullFailed");
        assertCondition("Connected", Condition.Status.FALSE, "ConnectFailed");
        assertThat(container.attempts()).isEqualTo(1);

        harness.containers().notPulled(owner(), IMAGE, "denied again");
        harness.clock.advance(Duration.ofSeconds(1));
        harness.reconcileUntilSteady(KEY);
        assertThat(condition("ImagePulled").message()).isEqualTo("denied again");
        assertThat(container.attempts()).as("a report of the pull cuts no wait short").isEqualTo(1);
        assertThat(harness.eventReasons()).contains("PullFailed");
    }

    /** A writer that was faster costs neither the observation nor another attempt. */
    @Test
    void statusThatAnotherHasWrittenMeanwhileIsWrittenOver() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        script.die("exit code 3");
        McpServer before = harness.server(KEY);
        harness.client.failBefore(
                request -> {
                    McpServer now = harness.server(KEY);
                    if (now.metadata()
                            .resourceVersion()
                            .equals(before.metadata().resourceVersion())) {
                        harness.store.updateStatus(
                                McpServer.KIND,
                                now.withStatus(
                                        now.status().toBuilder().lastError("other").build()));
                    }
                });

        harness.reconcile(KEY);

        assertCondition("Ready", Condition.Status.TRUE, "SessionOpen");
        assertThat(harness.server(KEY).status().lastError()).isEmpty();
    }

    @Test
    void engineThatCannotBeUsedIsTheReasonOfBothConditions() throws InterruptedException {
        harness.store.create(Secret.KIND, Manifests.secret("default", "creds", "token", "x"));
        container.refuseToStart(
                new EngineUnavailableException("Docker engine at unix:///x: start it", null));

        applyAndSettle(SPEC);

        assertCondition("Accepted", Condition.Status.TRUE, "Accepted");
        assertCondition("Connected", Condition.Status.FALSE, "EngineUnavailable");
        assertCondition("Ready", Condition.Status.FALSE, "EngineUnavailable");
        assertThat(condition("Connected").message()).contains("start it");
    }
}
