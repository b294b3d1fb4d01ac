package dev.orloj.api.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.core.Event;
import dev.orloj.api.core.EventsV1Event;
import dev.orloj.api.v1.Tool;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

/** Records group fields that JSON does not group. Their order there is the usual one. */
class GroupedFieldsTest {

    @Test
    void fieldsOfATool() {
        assertComesBack(
                Tool.DESCRIPTOR,
                """
                {'apiVersion':'orloj.dev/v1','kind':'Tool','metadata':{'name':'t'},
                 'spec':{'type':'http','endpoint':'http://e','mcp_server_ref':'s',
                 'mcp_tool_name':'n','agent_name':'a','title':'T','description':'D',
                 'input_schema':{'type':'object'},'output_schema':{'x':1},'annotations':{'y':2},
                 'icons':[{'src':'i'}],'_meta':{'z':3},'extra':{'execution':4},
                 'capabilities':['c'],'risk_level':'low','timeout':'1s','max_output_bytes':1000,
                 'max_output_tokens':100,'method':'POST',
                 'auth':{'secretRef':'s','profile':'bearer'},
                 'headers':[{'name':'h','value':'v'}],'query':[{'name':'q','value':'w'}],
                 'body':{'b':null},'argument_check':'off'}}
                """);
    }

    @Test
    void fieldsOfAnEvent() {
        assertComesBack(
                Event.DESCRIPTOR,
                """
                {'apiVersion':'v1','kind':'Event','metadata':{'name':'e'},
                 'involvedObject':{'kind':'Tool'},'reason':'R','message':'M','type':'Normal',
                 'count':2,'firstTimestamp':'2026-01-01T00:00:00Z',
                 'lastTimestamp':'2026-01-02T00:00:00Z','eventTime':'2026-01-01T00:00:00.000000Z',
                 'action':'A','source':{'component':'c'},'reportingComponent':'c',
                 'reportingInstance':'i',
                 'series':{'count':3,'lastObservedTime':'2026-01-01T00:00:00.000000Z'},
                 'related':{'kind':'Pod'}}
                """);
    }

    @Test
    void fieldsOfAnEventOfTheGroup() {
        assertComesBack(
                EventsV1Event.DESCRIPTOR,
                """
                {'apiVersion':'events.k8s.io/v1','kind':'Event','metadata':{'name':'e'},
                 'regarding':{'kind':'Tool'},'reason':'R','note':'N','related':{'kind':'Pod'},
                 'type':'Normal','action':'A','eventTime':'2026-01-01T00:00:00.000000Z',
                 'series':{'count':3,'lastObservedTime':'2026-01-01T00:00:00.000000Z'},
                 'reportingController':'c','reportingInstance':'i',
                 'deprecatedSource':{'component':'c'},'deprecatedCount':2,
                 'deprecatedFirstTimestamp':'2026-01-01T00:00:00Z',
                 'deprecatedLastTimestamp':'2026-01-02T00:00:00Z'}
                """);
    }

    private static void assertComesBack(KindDescriptor<?> kind, String text) {
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));

        ObjectNode written =
                ResourceCodec.toDocument(ResourceCodec.fromDocument(kind.kind(), document));

        assertThat(written.toString()).isEqualTo(document.toString());
        assertThat(kind.schema().prune(document)).isEmpty();
    }
}
