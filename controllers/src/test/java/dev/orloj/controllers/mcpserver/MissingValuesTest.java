package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.v1.Sandbox;
import dev.orloj.runtime.session.Session;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** H-28: a missing value is reported with its field and what to do. */
class MissingValuesTest extends GitServerScenario {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'\"env\": [{\"name\": \"A\", \"value\": \"1\"}, {\"name\": \"B\", \"secretRef\":"
                        + " \"none\"}]'; spec.env[1].secretRef: Secret \"none\" does not exist",
                "'\"env_from\": [{\"secretRef\": {\"name\": \"none\"}}]';"
                        + " spec.env_from[0].secretRef: Secret \"none\" does not exist",
                "'\"env_from\": [{\"configMapRef\": {\"name\": \"none\"}}]';"
                        + " spec.env_from[0].configMapRef: ConfigMap \"none\" does not exist"
            })
    void missingValueIsNamedByItsField(String field, String message) throws InterruptedException {
        applyAndSettle(STDIO + ", " + field);

        assertThat(condition("Accepted").message()).startsWith(message).contains("create it");
    }

    @Test
    void programThatMayHaveToBeDownloadedHasTimeForIt() throws InterruptedException {
        harness.servers.script("npx").offer("log");
        applyAndSettle("\"transport\": \"stdio\", \"command\": \"npx -y some-server\"");

        assertThat(harness.sessions().liveSession(KEY)).map(Session::info).isPresent();
        assertThat(harness.startupTimeout(KEY)).hasMinutes(5);
    }

    /** H-28. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\'',
            value = {
                "'\"image\": \"node:24\", \"command\": \"npx\", \"args\": [\"-y\", \"x\"]'; 300",
                "'\"image\": \"node:24\", \"args\": [\"npx\", \"-y\", \"x\"]'; 300",
                "'\"image\": \"uv\", \"command\": \"uvx x\", \"startup_timeout\": \"9s\"'; 9",
                "'\"image\": \"acme/git\"'; 5",
                "'\"command\": \"uvx x\", \"sandbox_ref\": \"dev\"'; 300",
            })
    void programThatIsDownloadedInAContainerHasTheSameTime(String spec, int seconds) {
        harness.store.create(
                Sandbox.KIND, Manifests.sandbox("default", "dev", "\"image\": \"uv\""));
        harness.apply(Manifests.server("default", "git", "\"transport\": \"stdio\", " + spec));
        harness.look(KEY);

        assertThat(harness.startupTimeout(KEY)).hasSeconds(seconds);
    }
}
