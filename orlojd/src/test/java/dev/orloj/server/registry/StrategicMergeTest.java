package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.Document;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.ConfigMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

class StrategicMergeTest {

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static ObjectNode patched(String base, String patch) {
        Document document = new Document(json(patch), List.of(), Map.of());
        return new Patch.Strategic(document, ConfigMap.DESCRIPTOR.schema())
                .applyTo(json(base))
                .root();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    {'data':{'a':'1'}}  | {'data':{'b':'2'}}                    | {'data':{'a':'1','b':'2'}}
                    {'data':{'a':'1'}}  | {'data':{'a':null,'c':null}}          | {'data':{}}
                    {'data':{'a':'1'}}  | {'data':null}                         | {}
                    {'data':{'a':'1'}}  | {'data':{'$patch':'replace','b':'2'}} | {'data':{'b':'2'}}
                    {'data':{'a':'1'}}  | {'data':{'$patch':'delete'}}          | {'data':{}}
                    {}                  | {'data':{'a':'1','b':null}}           | {'data':{'a':'1'}}
                    """)
    void objectsAreMerged(String base, String patch, String expected) {
        assertThat(patched(base, patch)).isEqualTo(json(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ['a'] | 'finalizers':['b','a']                                                         | ['a','b']
                    ['a'] | '$deleteFromPrimitiveList/finalizers':['a','x'],'finalizers':['b']              | ['b']
                    ['a'] | '$setElementOrder/finalizers':['b','a'],'finalizers':['b']                      | ['a','b']
                    """)
    void finalizersAreASet(String base, String patch, String expected) {
        ObjectNode result =
                patched(
                        "{'metadata':{'finalizers':%s}}".formatted(base),
                        "{'metadata':{%s}}".formatted(patch));

        assertThat(result).isEqualTo(json("{'metadata':{'finalizers':%s}}".formatted(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    {'uid':'2','name':'y'}                       | [{'uid':'1','name':'a'},{'uid':'2','name':'y'}]
                    {'uid':'1','name':'b'}                       | [{'uid':'1','name':'b'}]
                    {'uid':'1','$patch':'delete'}                | []
                    {'$patch':'replace'},{'uid':'3','name':'c'}  | [{'uid':'3','name':'c'}]
                    """)
    void ownersAreMergedByUid(String items, String expected) {
        ObjectNode result =
                patched(
                        "{'metadata':{'ownerReferences':[{'uid':'1','name':'a'}]}}",
                        "{'metadata':{'ownerReferences':[%s]}}".formatted(items));

        assertThat(result.at("/metadata/ownerReferences"))
                .isEqualTo(json("{'x':%s}".formatted(expected)).path("x"));
    }

    @Test
    void otherListsAreReplaced() {
        ObjectNode result =
                patched(
                        "{'metadata':{'managedFields':[{'manager':'a'}]}}",
                        "{'metadata':{'managedFields':[{}]}}");

        assertThat(result.at("/metadata/managedFields").toString()).isEqualTo("[{}]");
    }

    @Test
    void whatCannotBeUnderstoodIsRefused() {
        assertThatThrownBy(() -> patched("{}", "{'data':{'$patch':'burn'}}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("\"burn\"");
        assertThatThrownBy(() -> patched("{}", "{'metadata':{'ownerReferences':[{'name':'a'}]}}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("has no \"uid\"");
    }
}
