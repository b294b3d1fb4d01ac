package dev.orloj.runtime.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.testkit.ManualScheduler;
import dev.orloj.runtime.testkit.RecordedSessions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

@Timeout(30)
class ServerCallerTest {

    private static final ServerDefinition SERVER = Definitions.server("github");

    private final FakeTransports transports = new FakeTransports();
    private final ToolCatalog catalog = new ToolCatalog();
    private final SessionManager sessions =
            new SessionManager(
                    transports,
                    new RecordedSessions(),
                    new ManualScheduler(),
                    () -> 0L,
                    SessionSettings.withVersion("1.2.3"));
    private final ServerCaller caller =
            new ServerCaller(
                    catalog,
                    new ServerExchange(catalog, sessions, OtherReplicas.NONE),
                    CallObserver.NONE);

    @AfterEach
    void leaveNothing() {
        sessions.close();
        assertThat(transports.open()).isEmpty();
    }

    @Test
    void requestAndResultPassUnchanged() throws Exception {
        catalog.putServer(SERVER);
        transports.on("prompts/get", (connection, params) -> params);

        assertThat(call("prompts/get", "{\"name\": \"p\", \"big\": 1e400}"))
                .isEqualTo(
                        new CallOutcome.Completed(
                                FakeTransports.json("{\"name\": \"p\", \"big\": 1e400}")));
    }

    @Test
    void errorOfTheServerIsTheOutcome() throws Exception {
        catalog.putServer(SERVER);
        JsonRpcError error = new JsonRpcError(-32002, "no such resource", null);
        transports.on(
                "resources/read",
                (connection, params) -> {
                    throw new JsonRpcException(error);
                });

        assertThat(call("resources/read", "{}"))
                .isEqualTo(new CallOutcome.ServerError(SERVER.server(), error));
    }

    @Test
    void suspendedServerIsNotWoken() throws Exception {
        catalog.putServer(SERVER);
        catalog.refuseServer(SERVER.server(), "is suspended: replicas is 0");

        assertThat(call("prompts/list", "{}"))
                .isEqualTo(
                        new CallOutcome.ServerRefused(
                                Optional.empty(),
                                new Refusal(SERVER.server(), "is suspended: replicas is 0", "")));
        assertThat(transports.made()).isEmpty();
    }

    private CallOutcome call(String method, String params) throws InterruptedException {
        return caller.call(
                SERVER.server(),
                method,
                (ObjectNode) FakeTransports.json(params),
                ProgressListener.NONE);
    }
}
