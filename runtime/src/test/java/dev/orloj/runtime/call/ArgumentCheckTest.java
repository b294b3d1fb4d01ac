package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.catalog.ToolEntry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

@Timeout(30)
class ArgumentCheckTest {

    private final ArgumentCheck check = new ArgumentCheck();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'required':['a']}|{}|arguments.a: Required value",
                "{'properties':{'a':{'type':'integer'}}}|{'a':'x'}|arguments.a: Invalid value:"
                        + " \"x\": must be of type integer",
                "{'properties':{'a':{'type':['string','null']}}}|{'a':1}|arguments.a: Invalid"
                        + " value: 1: must be of type string or null",
                "{'properties':{'a':{'enum':['x','y',3]}}}|{'a':'z'}|arguments.a: Unsupported"
                        + " value: \"z\": supported values: \"3\", \"x\", \"y\"",
                "{'properties':{'a':{'const':{'k':1}}}}|{'a':2}|arguments.a: Invalid value: 2: must"
                        + " be {\"k\":1}",
                "{'additionalProperties':false}|{'zz':1}|arguments.zz: Forbidden: the tool has no"
                        + " such argument",
                "{'properties':{'a':false}}|{'a':1}|arguments.a: Forbidden: no value is allowed"
                        + " here",
                "{'properties':{'a':{'minimum':3}}}|{'a':2}|arguments.a: Invalid value: 2: must be"
                        + " at least 3",
                "{'properties':{'a':{'maximum':3}}}|{'a':4}|arguments.a: Invalid value: 4: must be"
                        + " at most 3",
                "{'properties':{'a':{'exclusiveMinimum':3}}}|{'a':3}|arguments.a: Invalid value: 3:"
                        + " must be more than 3",
                "{'properties':{'a':{'multipleOf':0.5}}}|{'a':0.7}|arguments.a: Invalid value: 0.7:"
                        + " must be a multiple of 0.5",
                "{'properties':{'a':{'maxLength':2}}}|{'a':'abc'}|arguments.a: Too long: must be at"
                        + " most 2 characters long",
                "{'properties':{'a':{'minLength':2}}}|{'a':'b'}|arguments.a: Invalid value: \"b\":"
                        + " must be at least 2 characters long",
                "{'properties':{'a':{'pattern':'^x+$'}}}|{'a':'y'}|arguments.a: Invalid value:"
                        + " \"y\": must match \"^x+$\"",
                "{'properties':{'a':{'maxItems':1}}}|{'a':[1,2]}|arguments.a: Too many: must have"
                        + " at most 1 items but found 2",
                "{'properties':{'a':{'items':{'properties':{'b':{'type':'string'}}}}}}|{'a':[{},{'b':1}]}|arguments.a[1].b:"
                    + " Invalid value: 1: must be of type string",
                "{'properties':{'a.b':{'type':'string'}}}|{'a.b':1}|arguments[a.b]: Invalid value:"
                        + " 1: must be of type string",
                "{'dependentRequired':{'a':['b']}}|{'a':1}|arguments.b: Required value: must be"
                        + " given with \"a\"",
                "{'properties':{'a':{'anyOf':[{'type':'string'},{'type':'null'}]}}}|{'a':5}|arguments.a:"
                    + " Invalid value: 5: must fit one of the alternatives: must be of type string;"
                    + " must be of type null",
                "{'properties':{'a':{'oneOf':[{'minimum':1},{'minimum':2}]}}}|{'a':5}|arguments.a:"
                        + " Invalid value: 5: must fit exactly one of the alternatives",
                "{'anyOf':[{'required':['a']},{'required':['b']}]}|{}|arguments: Invalid value: {}:"
                        + " must fit one of the alternatives: arguments.a is required; arguments.b"
                        + " is required",
                "{'properties':{'a':{'not':{'type':'number'}}}}|{'a':5}|arguments.a: Invalid value:"
                        + " 5: must not fit {\"type\":\"number\"}",
                "{'$ref':'#/$defs/x','$defs':{'x':{'required':['q']}}}|{}|arguments.q: Required"
                        + " value",
                "{'$schema':'http://json-schema.org/draft-07/schema#','required':['q']}|{}|arguments.q:"
                    + " Required value",
                "{'$schema':'http://json-schema.org/draft-04/schema#','properties':{'a':{'minimum':1,'exclusiveMinimum':true}}}|{'a':1}|arguments.a:"
                    + " Invalid value: 1: must be at least 1",
            })
    void violationsAreNamedWithPathValueAndRemedy(String schema, String arguments, String error) {
        assertThat(errors(schema, arguments)).containsExactly(error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{}|{'anything':[1,null,{}]}",
                "{'type':'object','properties':{'a':{'type':'integer'}}}|{'a':1.0}",
                "{'properties':{'a':{'type':'integer'}}}|{'a':123456789012345678901234567890}",
                "{'properties':{'a':{'format':'email'}}}|{'a':'no address'}",
                "{'$schema':'https://json-schema.org/draft/2020-12/schema','required':['a']}|{'a':null}",
                "{'properties':{'a':{'anyOf':[{'type':'string'},{'type':'null'}]}}}|{'a':null}",
            })
    void whatFitsHasNoErrors(String schema, String arguments) {
        assertThat(errors(schema, arguments)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'mesage':1}|'mesage' is not an argument of the tool; did you mean 'message'?",
                "{'text':1}|'text' is not an argument of the tool",
                "{'x':1}|'x' is not an argument of the tool",
                "{'a\\u001b\\nb':'secret'}|'a\\u001B\\nb' is not an argument of the tool",
                "{'to':1,'text':2,'n':3}|'to', 'text' are not arguments of the tool",
                "{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1}|'a', 'b', 'c', 'd', 'e' and 2 more are"
                        + " not arguments of the tool",
            })
    void missingArgumentIsReportedWithThoseThatTheToolDoesNotHave(String given, String remedy) {
        assertThat(errors("{'properties':{'message':{},'n':{}},'required':['message']}", given))
                .containsExactly("arguments.message: Required value: " + remedy.replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'required':['message']}",
                "{'properties':{'message':{}},'patternProperties':{'.*':{}},'required':['message']}",
                "{'properties':{'message':{},'mesage':{}},'required':['message']}",
                "{'properties':{'message':{}},'allOf':[{'properties':{'mesage':{}}}],'required':['message']}",
                "{'properties':{'mesage':{}},'allOf':[{'properties':{'message':{}},'required':['message']}]}",
                "{'properties':{'message':{}},'$ref':'#/$defs/O','$defs':{'O':{'properties':{'mesage':{}}}},'required':['message']}",
            })
    void argumentsThatTheSchemaDefinesAreNotReported(String schema) {
        assertThat(errors(schema, "{'mesage':1}"))
                .containsExactly("arguments.message: Required value");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{'properties':{'o':{'properties':{'color':{}},'required':['color']}}}|{'o':{'colour':1}}|arguments.o.color",
                "{'properties':{'o':{'items':{'$ref':'#/$defs/O'}}},'$defs':{'O':{'properties':{'color':{}},'required':['color']}}}|{'o':[{'colour':1}]}|arguments.o[0].color",
                "{'$ref':'#/$defs/O','$defs':{'O':{'properties':{'color':{}},'required':['color']}}}|{'colour':1}|arguments.color",
                "{'$id':'urn:a','properties':{'color':{}},'required':['color']}|{'colour':1}|arguments.color",
            })
    void membersOfObjectsAreReportedToo(String schema, String arguments, String field) {
        assertThat(errors(schema, arguments))
                .containsExactly(
                        field
                                + ": Required value: \"colour\" is not an argument of the tool; did"
                                + " you mean \"color\"?");
    }

    @Test
    void schemaThatAllowsOtherArgumentsHasOnlyMisspelledOnesReported() {
        String schema =
                "{'properties':{'message':{}},'required':['message'],'additionalProperties':{}}";

        assertThat(errors(schema, "{'text':1}"))
                .containsExactly("arguments.message: Required value");
        assertThat(errors(schema, "{'text':1,'mesage':1}"))
                .containsExactly(
                        "arguments.message: Required value: \"mesage\" is not an argument of the"
                                + " tool; did you mean \"message\"?");
    }

    @Test
    void argumentsThatTheToolDoesNotHaveAreListedOnce() {
        assertThat(
                        errors(
                                "{'properties':{'from':{},'until':{}},'required':['from','until']}",
                                "{'text':1}"))
                .containsExactlyInAnyOrder(
                        "arguments.from: Required value: \"text\" is not an argument of the tool",
                        "arguments.until: Required value");
    }

    @Test
    void alternativesLeaveTheArgumentsThatTheToolDoesNotHaveToTheMissingOne() {
        assertThat(
                        errors(
                                "{'properties':{'from':{},'until':{},'n':{}},'anyOf':[{'required':['until']},{'required':['n']}],'required':['from']}",
                                "{'text':1}"))
                .contains(
                        "arguments.from: Required value: \"text\" is not an argument of the tool");
    }

    @Test
    void forbiddenArgumentIsReportedWithTheOneThatIsMeant() {
        assertThat(
                        errors(
                                "{'properties':{'message':{},'n':{}},'required':['n'],'additionalProperties':false}",
                                "{'mesage':1,'zz':2}"))
                .containsExactlyInAnyOrder(
                        "arguments.n: Required value",
                        "arguments.mesage: Forbidden: the tool has no such argument; did you mean"
                                + " \"message\"?",
                        "arguments.zz: Forbidden: the tool has no such argument");
    }

    @Test
    void allViolationsComeAtOnce() {
        assertThat(
                        errors(
                                "{'required':['a','b'],'properties':{'c':{'type':'string'}},'additionalProperties':false}",
                                "{'c':1,'d':2}"))
                .hasSize(4);
    }

    @Test
    void numberOfErrorsIsBounded() {
        StringBuilder many = new StringBuilder("{'a':[0");
        for (int i = 1; i < 1_000; i++) {
            many.append(",").append(i);
        }

        assertThat(
                        errors(
                                "{'properties':{'a':{'items':{'type':'string'}}}}",
                                many.append("]}").toString()))
                .hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "null",
                "'string'",
                "[]",
                "{'type':'objekt'}",
                "{'type':5}",
                "{'properties':5}",
                "{'required':'a'}",
                "{'properties':{'a':{'pattern':'('}}}",
                "{'$schema':'http://127.0.0.1:9/schema'}",
                "{'$schema':'file:///etc/passwd'}",
                "{'$schema':7}",
                "{'$ref':'http://127.0.0.1:9/schema'}",
                "{'$ref':'file:///etc/passwd'}",
                "{'$ref':'classpath:draft/2020-12/schema'}",
                "{'$ref':'#/$defs/nowhere'}",
                "{'$id':'http://127.0.0.1:9/a','$ref':'b'}",
                "{'properties':{'a':{'multipleOf':1e-999999999}}}",
            })
    void schemaThatCannotBeUsedLetsArgumentsPass(String schema) {
        assertThat(errors(schema, "{'a':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'}"))
                .isEmpty();
    }

    /** H-21 */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#'}",
                "{'allOf':[{'$ref':'#/$defs/a'}],'$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}}",
                "{'properties':{'a':{'$ref':'#/properties/a'}}}",
                "{'properties':{'a':{'pattern':'^(.*a){25}$'}}}",
                "{'properties':{'a':{'pattern':'(.*)(.*)(.*)(.*)(.*)(.*)(.*)[0-9]'}}}",
            })
    void checkWithoutEndRefusesTheCall(String schema) {
        assertThat(errors(schema, "{'a':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'}"))
                .singleElement()
                .asString()
                .startsWith("arguments: Invalid value: ")
                .contains("cannot be checked: ", "schema");
    }

    /** H-21 */
    @Test
    void patternOfAnotherDialectLeavesTheRestOfTheSchemaInForce() {
        assertThat(errors("{'required':['b'],'properties':{'a':{'pattern':'[^]('}}}", "{'a':'x'}"))
                .containsExactly("arguments.b: Required value");
    }

    /** H-21 */
    @Test
    void largeArgumentsOfAPlainSchemaAreChecked() {
        StringBuilder many = new StringBuilder("{'a':[0");
        for (int i = 1; i < 200_000; i++) {
            many.append(",").append(i);
        }

        assertThat(
                        errors(
                                "{'properties':{'a':{'items':{'type':'integer'}}}}",
                                many.append("]}").toString()))
                .isEmpty();
    }

    /** H-21 */
    @Test
    void schemaThatDoublesWithEveryLevelRefusesTheCall() {
        StringBuilder schema = new StringBuilder("{'$ref':'#/$defs/a0','$defs':{");
        for (int i = 0; i < 60; i++) {
            String next = "{'$ref':'#/$defs/a" + (i + 1) + "'}";
            schema.append("'a%d':{'allOf':[%s,%s]},".formatted(i, next, next));
        }
        schema.append("'a60':{'required':['q']}}}");

        assertThat(errors(schema.toString(), "{}"))
                .singleElement()
                .asString()
                .contains("takes too many steps");
    }

    @Test
    void deeplyNestedArgumentsOfARecursiveSchemaDoNotOverflow() {
        String schema = "{'properties':{'a':{'$ref':'#'}},'additionalProperties':false}";
        ObjectNode root = Json.MAPPER.createObjectNode();
        ObjectNode deepest = root;
        for (int i = 0; i < 100_000; i++) {
            deepest = deepest.putObject("a");
        }

        assertThat(check.check(tool("t", json(schema)), root)).hasSize(1);
    }

    @Test
    void numberOfExtremeSizeDoesNotLetTheOtherArgumentsPass() {
        assertThat(errors("{'properties':{'a':{'multipleOf':0.1}}}", "{'a':1e999999999}"))
                .containsExactly(
                        "arguments: Invalid value: \"...\": has a number of extreme size, which"
                                + " cannot be checked");
    }

    @Test
    void changedSchemaIsUsedAtOnce() {
        JsonNode first = json("{'required':['a']}");
        assertThat(check.check(tool("t", first), object("{}"))).hasSize(1);

        assertThat(check.check(tool("t", json("{}")), object("{}"))).isEmpty();
        assertThat(check.check(tool("t", first), object("{}"))).hasSize(1);
    }

    /** H-22 */
    @Test
    void argumentsThatFitStayAsTheyAreInEveryMode() {
        JsonNode schema = json("{'properties':{'a':{'type':['string','integer']}}}");
        ObjectNode arguments = object("{'a':'5','b':null}");

        for (ArgumentMode mode : ArgumentMode.values()) {
            assertThat(check.check(tool("t", schema), arguments, mode).arguments())
                    .isSameAs(arguments);
        }
    }

    /** H-22 */
    @Test
    void convertedArgumentsAreCheckedAgain() {
        JsonNode schema = json("{'properties':{'a':{'type':'integer','maximum':4}}}");

        assertThat(
                        check.check(tool("t", schema), object("{'a':'5'}"), ArgumentMode.COERCE)
                                .errors())
                .singleElement()
                .hasToString("arguments.a: Invalid value: 5: must be at most 4");
    }

    @Test
    void schemasOfMoreToolsThanAreKeptAreStillChecked() {
        JsonNode schema = json("{'required':['a']}");
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_100; i++) {
                assertThat(check.check(tool("t" + i, schema), object("{}"))).hasSize(1);
            }
        }
    }

    private List<String> errors(String schema, String arguments) {
        return check.check(tool("t", json(schema)), object(arguments)).stream()
                .map(FieldError::toString)
                .toList();
    }

    private static ToolEntry tool(String name, JsonNode schema) {
        return new ToolEntry(
                new ResourceKey("default", name),
                "uid-" + name,
                new ResourceKey("default", "server"),
                name,
                name,
                schema,
                Optional.empty());
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) json(text);
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
