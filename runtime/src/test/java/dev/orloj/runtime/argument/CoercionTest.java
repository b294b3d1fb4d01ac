package dev.orloj.runtime.argument;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** H-22 */
@Timeout(30)
class CoercionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {'type':'integer'}                                   | '5'      | 5
                    {'type':'integer'}                                   | '-0'     | 0
                    {'type':'integer'}                                   | '123456789012345678901234567890' | 123456789012345678901234567890
                    {'type':'number'}                                    | '1.50'   | 1.50
                    {'type':'number'}                                    | '0.1234567890123456789012345' | 0.1234567890123456789012345
                    {'type':'number'}                                    | '1e3'    | 1E+3
                    {'type':'boolean'}                                   | 'true'   | true
                    {'type':'boolean'}                                   | 'false'  | false
                    {'type':'string'}                                    | 1.50     | '1.50'
                    {'type':'string'}                                    | 123456789012345678901 | '123456789012345678901'
                    {'type':'string'}                                    | false    | 'false'
                    {'type':['string','null']}                           | 5        | '5'
                    {'type':['integer','null']}                          | '5'      | 5
                    {'anyOf':[{'type':'integer'},{'type':'null'}]}       | '5'      | 5
                    {'items':{'type':'integer'}}                         | ['1',2,'x'] | [1,2,'x']
                    {'items':{'items':{'type':'number'}}}                | [['1.0']] | [[1.0]]
                    {'items':{'properties':{'n':{'type':'integer'}}}}    | [{'n':'1'},{}] | [{'n':1},{}]
                    {'properties':{'b':{'properties':{'c':{'type':'boolean'}}}}} | {'b':{'c':'true'}} | {'b':{'c':true}}
                    """)
    void valuesTakeTheTypeOfTheSchema(String schema, String given, String expected) {
        assertThat(
                        coerced(
                                "{'properties':{'a':%s}}".formatted(schema),
                                "{'a':%s}".formatted(given)))
                .isEqualTo("{'a':%s}".formatted(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {'type':'integer'}                  | 'five'
                    {'type':'integer'}                  | ''
                    {'type':'integer'}                  | ' 5'
                    {'type':'integer'}                  | '05'
                    {'type':'integer'}                  | '5.5'
                    {'type':'integer'}                  | '0x10'
                    {'type':'integer'}                  | 5.5
                    {'type':'integer'}                  | true
                    {'type':'number'}                   | 'NaN'
                    {'type':'number'}                   | '1e999999999999'
                    {'type':'boolean'}                  | 'True'
                    {'type':'boolean'}                  | 1
                    {'type':['string','integer']}       | '5'
                    {'type':['string','array']}         | 5
                    {'type':'string'}                   | [5]
                    {'type':'string'}                   | null
                    {'items':{'type':'string'}}         | [null]
                    {'type':['string','null']}          | null
                    {}                                  | null
                    {'enum':[5]}                        | '5'
                    {'$ref':'#/$defs/x'}                | '5'
                    {'anyOf':[{'type':'integer'},{}]}   | '5'
                    """)
    void whatCannotBeConvertedInOneWayStays(String schema, String given) {
        String arguments = "{'a':%s}".formatted(given);

        assertThat(coerced("{'required':['a'],'properties':{'a':%s}}".formatted(schema), arguments))
                .isEqualTo(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {'properties':{'a':{'type':'string'}}}                                  | {'a':null,'b':null} | {'b':null}
                    {'properties':{'a':{'anyOf':[{'type':'string'},{'type':'null'}]}}}      | {'a':null} | {'a':null}
                    {'required':['a'],'properties':{'a':{'type':'string','default':'x'}}}   | {}         | {'a':'x'}
                    {'required':['a'],'properties':{'a':{'type':'string','default':'x'}}}   | {'a':null} | {'a':'x'}
                    {'required':['a'],'properties':{'a':{'type':'string','default':'x'}}}   | {'a':'y'}  | {'a':'y'}
                    {'required':['a'],'properties':{'a':{'default':null}}}                  | {}         | {'a':null}
                    {'properties':{'a':{'type':'string','default':'x'}}}                    | {}         | {}
                    {'required':['a'],'properties':{'a':{'type':'string'}}}                 | {}         | {}
                    {'properties':{'o':{'required':['a'],'properties':{'a':{'default':1}}}}} | {'o':{}}  | {'o':{'a':1}}
                    """)
    void nullIsLeftOutAndDefaultsOfRequiredMembersComeIn(
            String schema, String arguments, String expected) {
        assertThat(coerced(schema, arguments)).isEqualTo(expected);
    }

    @Test
    void neitherSchemaNorGivenArgumentsChange() {
        JsonNode schema =
                json("{'required':['d'],'properties':{'a':{'type':'integer'},'d':{'default':{}}}}");
        JsonNode before = schema.deepCopy();
        ObjectNode given = (ObjectNode) json("{'a':'5'}");

        ObjectNode coerced = Coercion.coerce(given, schema);
        ((ObjectNode) coerced.path("d")).put("written", "later");

        assertThat(schema).isEqualTo(before);
        assertThat(given).isEqualTo(json("{'a':'5'}"));
    }

    @Test
    void schemaThatMakesSmallArgumentsLargeIsFilledInWithinABound() {
        ObjectNode schema = (ObjectNode) json("{'properties':{'a':{'items':{'required':['d']}}}}");
        ((ObjectNode) schema.at("/properties/a/items"))
                .putObject("properties")
                .putObject("d")
                .put("default", "x".repeat(100_000));
        ObjectNode given = Json.MAPPER.createObjectNode();
        for (int i = 0; i < 10_000; i++) {
            given.withArray("a").addObject();
        }

        assertThat(Coercion.coerce(given, schema).toString())
                .hasSizeLessThan(Coercion.MAX_STEPS + 100_000);
    }

    @Test
    void schemaOfAnyOtherShapeChangesNothing() {
        for (String schema : new String[] {"true", "[]", "{'properties':5,'required':'a'}"}) {
            assertThat(coerced(schema, "{'a':null,'b':'5'}")).isEqualTo("{'a':null,'b':'5'}");
        }
    }

    private static String coerced(String schema, String arguments) {
        return Coercion.coerce((ObjectNode) json(arguments), json(schema))
                .toString()
                .replace('"', '\'');
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
