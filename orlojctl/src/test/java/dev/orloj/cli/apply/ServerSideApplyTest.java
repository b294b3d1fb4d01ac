package dev.orloj.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** The take-over of what an older orlojctl wrote, while others write too. */
class ServerSideApplyTest {

    private static final String OLDER = resource("1", "Update");
    private static final String OLDER_AGAIN = resource("2", "Update");
    private static final String TAKEN_OVER = resource("3", "Apply");
    private static final String CONFLICT_WITH_OLDER =
            """
            {"kind": "Status", "reason": "Conflict", "code": 409, "message": "conflict",
             "details": {"causes": [{"reason": "FieldManagerConflict", "field": ".spec.command",
              "message": "conflict with \\"orlojctl\\" using orloj.dev/v1"}]}}
            """;
    private final ScriptedServer server = new ScriptedServer();

    private static String resource(String version, String operation) {
        return """
        {"metadata": {"resourceVersion": "%s", "managedFields": [
          {"manager": "orlojctl", "operation": "%s", "apiVersion": "orloj.dev/v1",
           "fieldsV1": {"f:spec": {}}}]}}
        """
                .formatted(version, operation);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Applied apply(ApplyOptions options, String... answers) {
        server.script(answers);
        ObjectNode document =
                (ObjectNode) Json.MAPPER.readTree("{\"metadata\": {\"name\": \"a\"}}");
        return new ServerSideApply(server.client(), options)
                .apply(new Intent(McpServer.KIND, new ResourceKey("default", "a"), document));
    }

    private static ApplyOptions options() {
        return new ApplyOptions(false, "orlojctl", false);
    }

    @Test
    void resourceWithoutOlderFieldsTakesOneRequest() {
        assertThat(apply(options(), "unchanged " + TAKEN_OVER).effect())
                .isEqualTo(Effect.UNCHANGED);
        assertThat(server.requests()).containsExactly("apply");
    }

    @Test
    void upgradeThatAnotherWriterGetsInTheWayOfIsTriedAgain() {
        Applied applied =
                apply(
                        options(),
                        "unchanged " + OLDER,
                        "- " + ScriptedServer.OUTDATED,
                        "- " + OLDER_AGAIN,
                        "- " + TAKEN_OVER,
                        "configured " + TAKEN_OVER);

        assertThat(applied.effect()).isEqualTo(Effect.CONFIGURED);
        assertThat(applied.warnings()).isEmpty();
        assertThat(server.requests())
                .containsExactly("apply", "upgrade 1", "GET", "upgrade 2", "apply");
    }

    @Test
    void upgradeThatAnotherOneDidIsNotDoneAgain() {
        apply(
                options(),
                "configured " + OLDER,
                "- " + ScriptedServer.OUTDATED,
                "- " + TAKEN_OVER,
                "unchanged " + TAKEN_OVER);

        assertThat(server.requests()).containsExactly("apply", "upgrade 1", "GET", "apply");
    }

    @Test
    void conflictWithOlderFieldsIsSolvedByTheUpgrade() {
        Applied applied =
                apply(
                        options(),
                        "- " + CONFLICT_WITH_OLDER,
                        "- " + OLDER,
                        "- " + TAKEN_OVER,
                        "configured " + TAKEN_OVER);

        assertThat(applied.effect()).isEqualTo(Effect.CONFIGURED);
        assertThat(server.requests()).containsExactly("apply", "GET", "upgrade 1", "apply");
    }

    @Test
    void upgradeThatNeverSucceedsIsAWarningOfWhatIsLeft() {
        List<String> answers = new ArrayList<>(List.of("configured " + OLDER));
        for (int i = 0; i < ServerSideApply.ATTEMPTS - 1; i++) {
            answers.add("- " + ScriptedServer.OUTDATED);
            answers.add("- " + OLDER);
        }
        answers.add("- " + ScriptedServer.OUTDATED);

        Applied applied = apply(options(), answers.toArray(String[]::new));

        assertThat(applied.effect()).isEqualTo(Effect.CONFIGURED);
        assertThat(applied.warnings())
                .singleElement()
                .asString()
                .contains("McpServer \"a\" was applied", "apply it again: old");
        assertThat(server.requests())
                .filteredOn("upgrade 1"::equals)
                .hasSize(ServerSideApply.ATTEMPTS);
    }

    @Test
    void dryRunForcesOnlyWhatOlderVersionsOwn() {
        Applied applied =
                apply(
                        new ApplyOptions(true, "orlojctl", false),
                        "- " + CONFLICT_WITH_OLDER,
                        "configured " + OLDER);

        assertThat(applied.warnings()).hasSize(1);
        assertThat(server.requests()).containsExactly("apply", "apply");
        server.requests().clear();
        String mixed =
                CONFLICT_WITH_OLDER.replace(
                        "\"causes\": [",
                        "\"causes\": [{\"reason\": \"FieldManagerConflict\", \"field\": \".x\","
                                + " \"message\": \"conflict with \\\"ops\\\"\"}, ");

        assertThatThrownBy(() -> apply(new ApplyOptions(true, "orlojctl", false), "- " + mixed))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e ->
                                assertThat(Conflicts.of(e))
                                        .singleElement()
                                        .satisfies(c -> assertThat(c.field()).isEqualTo(".x")));
        assertThat(server.requests()).containsExactly("apply");
    }
}
