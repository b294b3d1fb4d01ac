package dev.orloj.server.disconnect;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

/** H-09 */
class WaitingConnectionsTest {

    private static final long LATE = WaitingConnections.HEAD_TIMEOUT.toNanos();

    private final WaitingConnections connections = new WaitingConnections();
    private final Endpoint endpoint = new Endpoint();

    private final SocketWrapperBase<NioChannel> connection =
            new NioEndpoint.NioSocketWrapper(
                    new NioChannel(new SocketBufferHandler(16, 16, false)), endpoint);

    /** Does something right after it was asked which connections are open. */
    private static final class Endpoint extends NioEndpoint {

        private final Set<SocketWrapperBase<NioChannel>> open = new HashSet<>();
        private Runnable meanwhile = () -> {};

        @Override
        public Set<SocketWrapperBase<NioChannel>> getConnections() {
            Set<SocketWrapperBase<NioChannel>> asked = Set.copyOf(open);
            meanwhile.run();
            return asked;
        }
    }

    @Test
    void connectionWithoutARequestIsEnded() {
        endpoint.open.add(connection);

        connections.look(endpoint, 0);
        connections.look(endpoint, LATE);

        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void requestThatComesDuringALookIsStillAnsweredLater() {
        endpoint.meanwhile =
                () -> {
                    endpoint.open.add(connection);
                    connections.answering(connection);
                };
        connections.look(endpoint, 0);
        endpoint.meanwhile = () -> {};

        connections.look(endpoint, 1);
        connections.look(endpoint, 1 + LATE);

        assertThat(connection.isClosed()).isFalse();
    }
}
