package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.core.Secret;
import dev.orloj.runtime.transport.ServerAddress;

import org.junit.jupiter.api.Test;

/** H-20: variables of orlojd in place of Secrets, over time. */
class SecretVariablesTest extends GitServerScenario {

    @Test
    void variableIsNamedInTheStatusUntilThereIsASecret() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO + ", \"env\": [{\"name\": \"TOKEN\", \"secretRef\": \"given\"}]");

        assertCondition("Accepted", Condition.Status.TRUE, "Accepted");
        assertThat(condition("Accepted").message())
                .contains("ORLOJ_SECRET_GIVEN")
                .doesNotContain(ReconcilerHarness.GIVEN_SECRET);
        assertThat(token()).isEqualTo(ReconcilerHarness.GIVEN_SECRET);

        harness.store.create(
                Secret.KIND, Manifests.secret("default", "given", "value", "of-the-secret"));
        harness.reconcileUntilSteady(KEY);

        await().until(() -> script.live() == 1);
        assertThat(token()).isEqualTo("of-the-secret");
        assertThat(condition("Accepted").message()).doesNotContain("ORLOJ_SECRET_GIVEN");
    }

    private String token() {
        return ((ServerAddress.Stdio) script.opened().getLast()).env().get("TOKEN");
    }
}
