package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.methods.ServerInitializer;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rights that change while {@code initialize} waits for the catalog. */
@Timeout(60)
class RightsOfNewSessionsTest {

    private static final EndpointScope DEFAULT = EndpointScope.parse("/mcp").orElseThrow();

    private final McpRig rig = new McpRig();
    private final ServerInitializer initializer = rig.legacySse().initializer();
    private final ChangingRights rights = new ChangingRights();

    @AfterEach
    void close() {
        rig.close();
    }

    /** Those of a user who may call everything, or nothing. */
    private static final class ChangingRights implements Rights {

        private volatile GrantedNames tools = GrantedNames.NONE;

        @Override
        public GrantedNames tools(String namespace) {
            return tools;
        }

        @Override
        public GrantedNames servers(String namespace) {
            return GrantedNames.NONE;
        }

        @Override
        public boolean read(Kind<?> kind, ResourceKey key) {
            return false;
        }

        @Override
        public boolean allowRequest() {
            return true;
        }

        @Override
        public boolean dependOnUser() {
            return true;
        }

        @Override
        public Watch watch(Runnable changed) {
            return Watch.NONE;
        }
    }

    /** Begins a session, and changes the rights while that waits. */
    private ClientSession initialize(GrantedNames before, GrantedNames meanwhile)
            throws InterruptedException {
        rights.tools = before;
        rig.informers().onRead(() -> rights.tools = meanwhile);
        return initializer
                .initialize(DEFAULT, "ann", rights, Json.MAPPER.createObjectNode())
                .session();
    }

    @Test
    void sessionOfAUserWhoGetsARightMeanwhileEndsWithThatRight() throws InterruptedException {
        ClientSession session = initialize(GrantedNames.NONE, GrantedNames.ALL);
        assertThat(initializer.lasts(session, DEFAULT, rights)).isTrue();

        rights.tools = GrantedNames.NONE;

        assertThat(initializer.lasts(session, DEFAULT, rights)).isFalse();
    }

    @Test
    void rightThatIsTakenAwayMeanwhileDoesNotCount() throws InterruptedException {
        ClientSession session = initialize(GrantedNames.ALL, GrantedNames.NONE);

        assertThat(session.hadRights()).isFalse();
    }
}
