package dev.orloj.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldError;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

class SchemaTest {

    private static final Schema SERVER = Kinds.SCHEME.descriptor(McpServer.KIND).schema();
    private static final Schema TOOL = Kinds.SCHEME.descriptor(Tool.KIND).schema();

    @Test
    void pruneRemovesAndReportsUnknownFields() {
        ObjectNode document =
                json("{'spec': {'comand': 'x', 'env': [{'name': 'A', 'valeu': 1}]}, 'foo': 1}");

        List<String> unknown = SERVER.prune(document);

        assertThat(unknown).containsExactly("spec.comand", "spec.env[0].valeu", "foo");
        assertThat(document).isEqualTo(json("{'spec': {'env': [{'name': 'A'}]}}"));
    }

    @Test
    void pruneRemovesNullsOfKnownFieldsWithoutAWord() {
        ObjectNode document = json("{'spec': {'command': null, 'reconnect': {'backoff': null}}}");

        assertThat(SERVER.prune(document)).isEmpty();
        assertThat(document).isEqualTo(json("{'spec': {'reconnect': {}}}"));
    }

    @Test
    void pruneKeepsEverythingInFreeFormFields() {
        String text =
                "{'spec': {'input_schema': {'x-foo': [null]}, '_meta': null, 'extra': {'a':"
                        + " null}}}";
        ObjectNode document = json(text);

        assertThat(TOOL.prune(document)).isEmpty();
        assertThat(document).isEqualTo(json(text));
    }

    @Test
    void pruneKeepsLabelsOfAnyName() {
        ObjectNode document = json("{'metadata': {'labels': {'a.b/c': 'd'}}}");

        assertThat(SERVER.prune(document)).isEmpty();
        assertThat(document.at("/metadata/labels/a.b~1c").asString()).isEqualTo("d");
    }

    @Test
    void defaultsFillWhatIsAbsentAndNestedInDefaults() {
        ObjectNode document = json("{'spec': {'timeout': '5s', 'auth': {'secretRef': 'x'}}}");

        SERVER.applyDefaults(document);

        assertThat(document)
                .isEqualTo(
                        json(
                                "{'spec': {'timeout': '5s', 'auth': {'secretRef': 'x', 'profile':"
                                        + " 'bearer'}, 'reconnect': {'max_attempts': 3, 'backoff':"
                                        + " '2s'}, 'replicas': 1}}"));
    }

    @Test
    void defaultsAreCopies() {
        ObjectNode first = json("{'spec': {}}");
        SERVER.applyDefaults(first);
        ((ObjectNode) first.at("/spec/reconnect")).put("max_attempts", 99);

        ObjectNode second = json("{'spec': {}}");
        SERVER.applyDefaults(second);

        assertThat(second.at("/spec/reconnect/max_attempts").asInt()).isEqualTo(3);
    }

    /**
     * The texts are those that an API server gives for a custom resource, and the remedy (H-28).
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | spec: Required value",
                "{'spec': {}} | spec.transport: Required value",
                "{'spec': 'x'} | spec: Invalid value: \"string\": spec in body must be of type"
                    + " object: \"string\"; write names with their values, such as {name: value}",
                "{'spec': {'transport': 'stdio', 'env': {'A': 'x'}}} | `spec.env: Invalid value:"
                        + " \"object\": spec.env in body must be of type array: \"object\"; write a"
                        + " list, such as [{name: ..., value: ...}]`",
                "{'spec': {'transport': 'stdio', 'max_sessions': '7'}} | spec.max_sessions: Invalid"
                        + " value: \"string\": spec.max_sessions in body must be of type integer:"
                        + " \"string\"; write it without quotes",
                "{'spec': {'transport': 7}} | spec.transport: Invalid value: \"integer\":"
                        + " spec.transport in body must be of type string: \"integer\"; put it in"
                        + " quotes, so that it is text",
                "{'spec': {'transport': 'telnet'}} | spec.transport: Unsupported value: \"telnet\":"
                        + " supported values: \"http\", \"sse\", \"stdio\"",
                "{'spec': {'transport': 'stdio', 'args': ['a', 1.5]}} | spec.args[1]: Invalid"
                    + " value: \"number\": spec.args[1] in body must be of type string: \"number\";"
                    + " put it in quotes, so that it is text",
                "{'spec': {'transport': 'stdio', 'env': [{'name': 'A'}, {'name': 'A'}]}} |"
                        + " `spec.env[1]: Duplicate value: {\"name\":\"A\"}`",
                "{'spec': {'transport': 'stdio', 'env': [{'name': ''}]}} | spec.env[0].name:"
                        + " Required value",
                "{'spec': {'transport': 'stdio', 'reconnect': {'max_attempts': 0}}} |"
                    + " spec.reconnect.max_attempts: Invalid value: 0: spec.reconnect.max_attempts"
                    + " in body should be greater than or equal to 1",
                "{'spec': {'transport': 'stdio', 'reconnect': {'max_attempts': 101}}} |"
                    + " spec.reconnect.max_attempts: Invalid value: 101:"
                    + " spec.reconnect.max_attempts in body should be less than or equal to 100",
                "{'spec': {'transport': 'stdio', 'reconnect': {'max_attempts': 1e2}}} |"
                    + " spec.reconnect.max_attempts: Invalid value: \"number\":"
                    + " spec.reconnect.max_attempts in body must be of type integer: \"number\";"
                    + " write a whole number",
                "{'spec': {'transport': 'stdio', 'idle_timeout': '-5m'}} | `spec.idle_timeout:"
                    + " Invalid value: \"-5m\": must be a duration such as 300ms, 5m or 1h30m, and"
                    + " not negative`",
                "{'spec': {'transport': 'stdio'}, 'metadata': {'labels': {'a/b': true}}} |"
                    + " metadata.labels[a/b]: Invalid value: \"boolean\": metadata.labels[a/b] in"
                    + " body must be of type string: \"boolean\"; put it in quotes, so that it is"
                    + " text",
                "{'spec': {'transport': 'stdio'}, 'metadata': {'creationTimestamp': 'now'}} |"
                    + " metadata.creationTimestamp: Invalid value: \"now\": must be a time as in"
                    + " RFC 3339",
                "{'spec': {'transport': 'stdio'}, 'metadata': {'finalizers': ['a', 'a']}} |"
                        + " metadata.finalizers[1]: Duplicate value: \"a\"",
            })
    void validateSaysWhatKubernetesSays(String document, String expected) {
        assertThat(SERVER.validate(json(document)))
                .extracting(FieldError::toString)
                .containsExactly(expected);
    }

    @Test
    void validateReportsEverythingAtOnce() {
        List<FieldError> errors =
                SERVER.validate(json("{'spec': {'transport': 'x', 'args': 1, 'timeout': 's'}}"));

        assertThat(errors)
                .extracting(e -> e.path().toString())
                .containsExactly("spec.transport", "spec.args", "spec.timeout");
    }

    /** The item stands at another place, too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'spec': {'timeout': 's', 'args': ['a']}} |",
                "{'spec': {'env': [{'name': 'A', 'value': 1}]}} |",
                "{'spec': {'env': [{'name': 'B'}, {'name': 'A', 'value': 1}]}} |",
                "{'spec': {'env': [{'name': 'A', 'value': 2}]}} | spec.env[0].value",
                "{'spec': {'env': [{'name': 'C', 'value': 1}]}} |",
                "{'spec': {'timeout': 't'}} | spec.timeout",
                "{'spec': {'args': 1}} | spec.args",
            })
    void validateUpdateFindsErrorsOfWhatChangesOnly(String document, String expected) {
        ObjectNode stored =
                stdio("{'spec': {'timeout': 's', 'env': [{'name': 'A', 'value': 1}], 'args': []}}");

        assertThat(SERVER.validateUpdate(stdio(document), stored))
                .extracting(e -> e.path().toString())
                .isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    private static ObjectNode stdio(String text) {
        ObjectNode document = json(text);
        document.withObject("/spec").put("transport", "stdio");
        return document;
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
