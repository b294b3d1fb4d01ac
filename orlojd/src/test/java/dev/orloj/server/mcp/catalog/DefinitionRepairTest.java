package dev.orloj.server.mcp.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

/**
 * Definitions for which the official TypeScript SDK refuses a whole list, and what becomes of them.
 */
class DefinitionRepairTest {

    private static final String OBJECT = "{\"type\":\"object\"}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name':'a','inputSchema':{'type':'object'}}",
                """
                {'name':'a','title':'A','description':'','inputSchema':{'type':'object',\
                'properties':{'x':{'$ref':'#/$defs/x'}},'required':['x'],'$defs':{'x':{}}},\
                'outputSchema':{'type':'object','properties':{'x':{'$ref':'#/$defs/a~1b%20c'},\
                'y':{'$ref':'#'},'z':{'enum':[{'$ref':'else'}]}},'$defs':{'a/b c':{}}},\
                'annotations':{'title':'A','readOnlyHint':true,'else':null},\
                'execution':{'taskSupport':'optional'},'icons':[{'src':'x','sizes':['any']}],\
                '_meta':{'a/b':null},'unheard':null}
                """,
                """
                {'name':'a','inputSchema':{'type':'object'},'outputSchema':{'type':'object',\
                'properties':{'x':{'pattern':'^(?:a|(?=b)(?<=c)(?<d>e)[\\\\w\\\\-.]+\\\\.\\\\d{2}\\\\u{1F600}\\\\/\\\\\\\\Z[(?i]\\\\(?)$'},\
                'pattern':{'type':'string'}}}}
                """,
                """
                {'name':'a','inputSchema':{'type':'object'},'outputSchema':\
                {'type':'object','$id':'https://a/b','properties':{'x':{'$ref':'other'}}}}
                """
            })
    void toolThatMcpPermitsStaysTheSame(String definition) {
        ObjectNode tool = json(definition);

        assertThat(DefinitionRepair.tool(tool)).isSameAs(tool);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'name':'a'}                                  | {'type':'object'}
                    {'name':'a','inputSchema':null}               | {'type':'object'}
                    {'name':'a','inputSchema':true}               | {'type':'object'}
                    {'name':'a','inputSchema':{}}                 | {'type':'object'}
                    {'name':'a','inputSchema':{'type':['object','null'],'x':1}} | {'type':'object','x':1}
                    {'name':'a','inputSchema':{'anyOf':[{}]}}     | {'anyOf':[{}],'type':'object'}
                    {'name':'a','inputSchema':{'type':'object','properties':null,'required':true}} | {'type':'object'}
                    {'name':'a','inputSchema':{'type':'object','required':[1]}} | {'type':'object'}
                    {'name':'a','inputSchema':{'type':'object','properties':{'x':true,'y':false,'z':{'b':1}}}} | {'type':'object','properties':{'x':{},'y':{'not':{}},'z':{'b':1}}}
                    """)
    void inputSchemaIsThatOfAnObject(String definition, String expected) {
        ObjectNode tool = json(definition);
        ObjectNode before = tool.deepCopy();

        assertThat(DefinitionRepair.tool(tool))
                .isEqualTo(json("{'name':'a'}").set("inputSchema", json(expected)));
        assertThat(tool).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'title':null",
                "'description':null",
                "'description':5",
                "'annotations':null",
                "'icons':null",
                "'icons':[{'src':'x','mimeType':null}]",
                "'icons':[{}]",
                "'execution':null",
                "'execution':{'taskSupport':'maybe'}",
                "'_meta':null",
                "'outputSchema':null",
                "'outputSchema':{'type':'object','properties':{'x':{'$ref':'#/$defs/x'}}}",
                "'outputSchema':{'type':'object','allOf':[{'$ref':'https://a/b'}]}",
                "'outputSchema':{'type':'object','allOf':[{'$ref':'#/%'}]}",
                "'outputSchema':{'type':'object','properties':{'x':{'pattern':'(?P<y>a)'}}}",
                "'outputSchema':{'type':'object','properties':{'x':{'pattern':'(?i)a'}}}",
                "'outputSchema':{'type':'object','properties':{'x':{'pattern':'a\\\\Z'}}}",
                "'outputSchema':{'type':'object','properties':{'x':{'pattern':'a\\\\-[-]'}}}"
            })
    void memberThatClientsRefuseIsLeftOut(String member) {
        assertThat(
                        DefinitionRepair.tool(
                                json(
                                        "{'name':'a','inputSchema':{'type':'object'},%s}"
                                                .formatted(member))))
                .hasToString("{\"name\":\"a\",\"inputSchema\":" + OBJECT + "}");
    }

    @Test
    void annotationsThatAreRightStay() {
        assertThat(
                        DefinitionRepair.tool(
                                        json(
                                                "{'name':'a','annotations':{'title':null,'readOnlyHint':true,'openWorldHint':'no','x':null}}"))
                                .path("annotations"))
                .hasToString("{\"readOnlyHint\":true,\"x\":null}");
    }

    @Test
    void promptsAndResourcesAreRepairedToo() {
        ObjectNode sound = json("{'name':'p','arguments':[{'name':'x','required':true}]}");
        assertThat(DefinitionRepair.feature(sound, "name")).isEqualTo(sound);
        assertThat(
                        DefinitionRepair.feature(
                                json(
                                        "{'name':'p','description':null,'arguments':[{'name':'x','description':null,'required':null},{},7]}"),
                                "name"))
                .hasToString("{\"name\":\"p\",\"arguments\":[{\"name\":\"x\"}]}");
        assertThat(
                        DefinitionRepair.feature(
                                json("{'uri':'a:b','mimeType':null,'size':'3','annotations':{}}"),
                                "uri"))
                .hasToString("{\"uri\":\"a:b\",\"annotations\":{},\"name\":\"a:b\"}");
        assertThat(DefinitionRepair.feature(json("{'name':'p','arguments':null}"), "name"))
                .hasToString("{\"name\":\"p\"}");
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
