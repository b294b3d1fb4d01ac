package dev.orloj.cli.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class OlderOwnershipTest {

    private static final String OTHERS =
            """
            {"manager": "orlojctl", "operation": "Update", "subresource": "status",
             "apiVersion": "orloj.dev/v1", "fieldsV1": {"f:status": {}}},
            {"manager": "kubectl", "operation": "Update", "apiVersion": "orloj.dev/v1",
             "fieldsV1": {"f:spec": {"f:b": {}}}}
            """;

    private static ObjectNode document(String entries) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        "{\"metadata\": {\"managedFields\": [%s]}}".formatted(entries));
    }

    private static String entry(String operation, String apiVersion, String fields) {
        return """
        {"manager": "orlojctl", "operation": "%s", "apiVersion": "%s", "time": "t",
         "fieldsType": "FieldsV1", "fieldsV1": %s}
        """
                .formatted(operation, apiVersion, fields);
    }

    private static void assertUpgraded(String before, String after) {
        assertThat(OlderOwnership.upgraded(document(before)))
                .hasValueSatisfying(
                        entries ->
                                assertThat(entries)
                                        .isEqualTo(document(after).at("/metadata/managedFields")));
    }

    @Test
    void updatesOfOrlojctlBecomeAppliesAndOthersStay() {
        String fields = "{\"f:spec\": {\".\": {}, \"f:a\": {}}}";

        assertUpgraded(
                entry("Update", "orloj.dev/v1", fields) + "," + OTHERS,
                entry("Apply", "orloj.dev/v1", fields) + "," + OTHERS);
    }

    @Test
    void bothEntriesOfOneShapeAreJoined() {
        assertUpgraded(
                entry("Apply", "v1", "{\"f:data\": {\"f:a\": {}, \"f:b\": {}}}")
                        + ","
                        + entry(
                                "Update",
                                "v1",
                                "{\"f:data\": {\"f:b\": {}, \"f:c\": {\"f:d\": {}}}}")
                        + ","
                        + entry("Update", "orloj.dev/v1", "{\"f:spec\": {}}"),
                entry(
                                "Apply",
                                "v1",
                                "{\"f:data\": {\"f:a\": {}, \"f:b\": {}, \"f:c\": {\"f:d\": {}}}}")
                        + ","
                        + entry("Apply", "orloj.dev/v1", "{\"f:spec\": {}}"));
    }

    @Test
    void fieldThatIsOwnedAsAWholeAndInPartsIsOwnedAsBoth() {
        assertUpgraded(
                entry("Apply", "v1", "{\"f:data\": {}}")
                        + ","
                        + entry("Update", "v1", "{\"f:data\": {\"f:a\": {}}}"),
                entry("Apply", "v1", "{\"f:data\": {\".\": {}, \"f:a\": {}}}"));
    }

    @Test
    void annotationOfARestartStaysWhereItIs() {
        String restart = "\"f:orloj.dev/restartedAt\": {}";
        assertUpgraded(
                entry(
                        "Update",
                        "v1",
                        "{\"f:metadata\": {\"f:annotations\": {\".\": {}, %s, \"f:x\": {}}}}"
                                .formatted(restart)),
                entry(
                                "Apply",
                                "v1",
                                "{\"f:metadata\": {\"f:annotations\": {\".\": {}, \"f:x\": {}}}}")
                        + ","
                        + entry(
                                "Update",
                                "v1",
                                "{\"f:metadata\": {\"f:annotations\": {%s}}}".formatted(restart)));
        assertThat(
                        OlderOwnership.upgraded(
                                document(
                                        entry(
                                                "Update",
                                                "v1",
                                                "{\"f:metadata\": {\"f:annotations\": {\".\": {}, %s}}}"
                                                        .formatted(restart)))))
                .isEmpty();
    }

    @Test
    void whatNoOlderOrlojctlWroteIsLeftAlone() {
        assertThat(OlderOwnership.upgraded(document(OTHERS))).isEmpty();
        assertThat(OlderOwnership.upgraded(document(entry("Apply", "v1", "{\"f:data\": {}}"))))
                .isEmpty();
        assertThat(OlderOwnership.upgraded((ObjectNode) Json.MAPPER.readTree("{}"))).isEmpty();
        assertThat(OlderOwnership.upgraded(document(entry("Update", "v1", "7")))).isEmpty();
    }
}
