package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.codec.DocumentCheck;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.v1.McpServerSpec.Hosting;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

@DisplayName("The groups of a McpServerSpec are a matter of Java, not of JSON")
class McpServerSpecTest {

    /** Every field, in the order in which orlojd has always written them. */
    private static final String EVERY_FIELD =
            """
            {'transport':'stdio','command':'c','args':['a'],'env':[{'name':'n','value':'v'}],
             'image':'i','image_pull_secret':'s','resources':{'memory':'1g'},'endpoint':'e',
             'auth':{'secretRef':'s','profile':'bearer'},'tool_filter':{'include':['t']},
             'reconnect':{'max_attempts':1},'idle_timeout':'1s','timeout':'2s',
             'idle_call_timeout':'3s','startup_timeout':'4s','shutdown_grace':'5s',
             'max_concurrent_calls':1,'max_queued_calls':2,'queue_timeout':'6s',
             'rate_limit':{'calls':1,'period':'1s'},'circuit_breaker':{'failures':1},
             'health':{'failures':1},'max_lifetime':'7s','max_calls':3,'drain_timeout':'8s',
             'max_output_bytes':1000,'max_output_tokens':100,'replicas':1,'suspend':true,
             'env_from':[{'secretRef':{'name':'s'}}],'network':{'mode':'none'},
             'image_pull_policy':'Always','lifecycle':'on_demand','sandbox_ref':'b',
             'attach':{'container':'x'},'trust_image_config':true,
             'headers':[{'name':'h','value':'v'}],'max_sessions':4,'singleton':true,
             'bridge':{'roots':'reject'},'expose':['sse'],'tool_limits':{'max_pages':1},
             'session_scope':'shared','argument_check':'strict',
             'max_message_bytes':65536,
             'tool_policy':{'on_change_of':{'annotations':'warn'},'on_remove':'warn'},
             'result_policy':'strip','pod':{'node_selector':{'disk':'ssd'}},
             'scale_target_ref':{'kind':'Deployment','name':'d'}}
            """;

    @Test
    void everyFieldComesBackInTheOrderInWhichItWasAlwaysWritten() {
        ObjectNode document = document(EVERY_FIELD);

        ObjectNode written = ResourceCodec.toDocument(server(EVERY_FIELD));

        assertThat(written.get("spec").toString()).isEqualTo(document.get("spec").toString());
    }

    @Test
    void sessionsOfAServerThatSetsNoneAreThoseThatItCanGet() {
        String stdio = "{'transport':'stdio','command':'c'%s}";

        assertThat(server(stdio.formatted("")).spec().mostSessions()).isEqualTo(10);
        assertThat(server(stdio.formatted(",'session_scope':'agent'")).spec().mostSessions())
                .isEqualTo(10);
        assertThat(server(stdio.formatted(",'session_scope':'shared'")).spec().mostSessions())
                .isEqualTo(1);
        assertThat(server(stdio.formatted(",'singleton':true")).spec().mostSessions()).isEqualTo(1);
        assertThat(server(stdio.formatted(",'max_sessions':4")).spec().mostSessions()).isEqualTo(4);
    }

    @Test
    void theTestAboveNamesEveryFieldOfTheSchema() {
        assertThat(document(EVERY_FIELD).get("spec").propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        McpServer.DESCRIPTOR
                                .schema()
                                .root()
                                .at("/properties/spec/properties")
                                .propertyNames());
    }

    @Test
    void absentFieldsStayAbsent() {
        String fields = "{'transport':'stdio','command':'c'}";

        ObjectNode written = ResourceCodec.toDocument(server(fields));

        assertThat(written.get("spec")).isEqualTo(document(fields).get("spec"));
    }

    @Test
    void namesOfGroupsAreNotFields() {
        DocumentCheck check =
                DocumentCheck.of(
                        McpServer.DESCRIPTOR,
                        document("{'transport':'stdio','command':'c','program':{'command':'d'}}"));

        assertThat(check.unknownFields()).containsExactly("spec.program");
    }

    @Test
    void anUnreadableFieldIsNamedWithoutItsGroup() {
        assertThatThrownBy(() -> server("{'transport':'stdio','max_calls':'many'}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("spec.max_calls: Invalid value");
    }

    @Test
    void theTransportAndTheContainerDecideHowAServerIsRun() {
        assertThat(hosting("'transport':'stdio','command':'c'"))
                .isInstanceOf(Hosting.HostProcess.class);
        assertThat(hosting("'transport':'stdio','image':'i'"))
                .isInstanceOf(Hosting.OwnContainer.class);
        assertThat(hosting("'transport':'stdio','command':'c','sandbox_ref':'b'"))
                .isInstanceOfSatisfying(
                        Hosting.InSandbox.class, in -> assertThat(in.sandbox()).isEqualTo("b"));
        assertThat(hosting("'transport':'stdio','command':'c','attach':{'container':'x'}"))
                .isInstanceOfSatisfying(
                        Hosting.Attached.class,
                        to -> assertThat(to.attach().container()).isEqualTo("x"));
        assertThat(
                        List.of(
                                hosting("'transport':'http','endpoint':'e'"),
                                hosting("'transport':'sse','endpoint':'e'")))
                .map(Hosting.Remote.class::cast)
                .map(Hosting.Remote::sse)
                .containsExactly(false, true);
    }

    private static Hosting hosting(String fields) {
        return server("{" + fields + "}").spec().hosting();
    }

    private static McpServer server(String spec) {
        return ResourceCodec.fromDocument(McpServer.KIND, document(spec));
    }

    private static ObjectNode document(String spec) {
        return (ObjectNode)
                Json.MAPPER.readTree(
                        """
                        {"apiVersion":"orloj.dev/v1","kind":"McpServer","metadata":{"name":"s"},
                         "spec":%s}
                        """
                                .formatted(spec.replace('\'', '"')));
    }
}
