package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Write;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.TransactionalClientContract;
import dev.orloj.api.v1.McpServer;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** The contract, on the real database. */
class LocalResourceClientTest extends TransactionalClientContract {

    @Override
    protected ResourceClient client() {
        return TestRegistry.SHARED.client();
    }

    @Test
    void deletionIsTheNewestChange() {
        McpServer gone =
                client().create(
                                McpServer.KIND,
                                ResourceCodec.fromDocument(
                                        McpServer.KIND,
                                        (ObjectNode)
                                                Json.MAPPER.readTree(
                                                        """
                                                        {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                                         "metadata": {"name": "gone", "namespace": "default"},
                                                         "spec": {"transport": "stdio", "command": "true"}}
                                                        """)));
        ResourceVersion before = client().newestChange(McpServer.KIND);

        client().delete(McpServer.KIND, gone.key(), DeleteOptions.UNCONDITIONAL);

        assertThat(before).isGreaterThanOrEqualTo(gone.metadata().resourceVersion());
        assertThat(client().newestChange(McpServer.KIND)).isGreaterThan(before);
    }

    @Test
    void twoWritesForOneResourceInOneBatchAreRefused() {
        ResourceKey key = ObjectMeta.of("default", "twice").key();
        Write<Secret> delete = new Write.Delete<>(key, DeleteOptions.UNCONDITIONAL);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> client().writeAll(Secret.KIND, List.of(delete, delete)))
                .withMessageContaining("default/twice");
    }
}
