package dev.orloj.server.disconnect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** H-09: connections leave open files for the rest. */
class ProbedHttpProtocolTest {

    private final ProbedHttpProtocol protocol = new ProbedHttpProtocol();

    @Test
    void fewerConnectionsMayBeAskedFor() {
        protocol.setMaxConnections(7);

        assertThat(protocol.getMaxConnections()).isEqualTo(7);
    }

    @Test
    void settingsDoNotTakeMoreThanTheShareOfTheOpenFiles() {
        int most = WaitingConnections.mostConnections();

        assertThat(protocol.getMaxConnections()).isEqualTo(most);
        protocol.setMaxConnections(most + 1);
        assertThat(protocol.getMaxConnections()).isEqualTo(most);
        protocol.setMaxConnections(-1);
        assertThat(protocol.getMaxConnections()).isEqualTo(most);
    }
}
