package dev.orloj.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.client.Write;
import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * What a client promises beside that works on its store directly: over the wire there are no
 * transactions.
 */
public abstract class TransactionalClientContract extends ResourceClientContract {

    @Test
    void writeAllIsAllOrNothing() {
        McpServer a = created("a");
        created("b");
        List<Write<McpServer>> bad =
                List.of(
                        new Write.Update<>(withCommand(a, "second")),
                        new Write.Create<>(server("c")),
                        new Write.Create<>(server("b")));

        assertRefused(ErrorReason.ALREADY_EXISTS, () -> client().writeAll(McpServer.KIND, bad));

        assertThat(stored("a")).isEqualTo(a);
        assertThat(client().find(McpServer.KIND, key("c"))).isEmpty();
    }
}
