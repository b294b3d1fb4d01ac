package dev.orloj.server.apply;

import static dev.orloj.server.apply.OwnedResource.applying;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

class ManagedFieldsCodecTest {

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    @Test
    void anEntryLooksAsKubernetesShowsIt() {
        OwnedResource resource =
                OwnedResource.absent()
                        .apply("a", "{image: x, tags: [t], env: [{name: A, value: '1'}]}");

        assertThat(ManagedFieldsCodec.encode(resource.managed()))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                """
                                [{"manager": "a", "operation": "Apply", "apiVersion": "test.dev/v1",
                                  "time": "2026-11-21T00:00:00Z", "fieldsType": "FieldsV1",
                                  "fieldsV1": {"f:spec": {
                                    "f:env": {"k:{\\"name\\":\\"A\\"}": {
                                      ".": {}, "f:name": {}, "f:value": {}}},
                                    "f:image": {},
                                    "f:tags": {"v:\\"t\\"": {}}}}}]
                                """));
    }

    @Test
    void whatIsWrittenIsRead() {
        OwnedResource resource =
                OwnedResource.created("b", "{ports: [{port: 80}], free: {'a.b': {}, '': 1}}")
                        .apply("a", "{image: x, tags: ['t\"', 'ü']}");

        JsonNode encoded = ManagedFieldsCodec.encode(resource.managed());

        assertThat(ManagedFieldsCodec.decode(encoded).orElseThrow())
                .matches(read -> read.isSameButForTime(resource.managed()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{}]",
                "[{'manager': 'a', 'operation': 'Apply', 'apiVersion': 'v1'}]",
                "[{'operation': 'Eat', 'apiVersion': 'v1', 'fieldsType': 'FieldsV1'}]",
                "[{'operation': 'Apply', 'fieldsType': 'FieldsV1'}]",
                "[{'operation': 'Apply', 'apiVersion': 'v1', 'fieldsType': 'FieldsV1', 'fieldsV1':"
                        + " 1}]",
                "[{'operation': 'Apply', 'apiVersion': 'v1', 'fieldsType': 'FieldsV1',"
                        + " 'fieldsV1': {'x:y': {}}}]",
                "[{'operation': 'Apply', 'apiVersion': 'v1', 'fieldsType': 'FieldsV1',"
                        + " 'fieldsV1': {'k:{': {}}}]",
                "[{'operation': 'Apply', 'apiVersion': 'v1', 'fieldsType': 'FieldsV1',"
                        + " 'fieldsV1': {'i:x': {}}}]",
                "[1]",
            })
    void whatCannotBeUnderstoodIsNothing(String text) {
        assertThat(ManagedFieldsCodec.decode(json(text))).isEmpty();
    }

    @Test
    void anEmptyListAndOneEmptyEntryAskToForget() {
        assertThat(ManagedFieldsCodec.isReset(json("[]"))).isTrue();
        assertThat(ManagedFieldsCodec.isReset(json("[{}]"))).isTrue();
        assertThat(ManagedFieldsCodec.isReset(json("[{}, {}]"))).isFalse();
        assertThat(ManagedFieldsCodec.isReset(json("null"))).isFalse();
    }

    @Test
    void entriesOfOneManagerAreJoined() {
        String entry =
                "{'manager': 'a', 'operation': 'Apply', 'apiVersion': 'test.dev/v1',"
                        + " 'fieldsType': 'FieldsV1', 'fieldsV1': {'f:spec': {'f:%s': {}}}}";

        ManagedFields managed =
                ManagedFieldsCodec.decode(
                                json("[" + entry.formatted("x") + "," + entry.formatted("y") + "]"))
                        .orElseThrow();

        assertThat(managed.of(applying("a"), Shapes.ONE)).hasToString("[.spec.x, .spec.y]");
    }
}
