package dev.orloj.server.registry;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.Write;
import dev.orloj.api.core.Secret;
import dev.orloj.api.testing.TransactionalClientContract;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The contract, on the real database. */
class LocalResourceClientTest extends TransactionalClientContract {

    @Override
    protected ResourceClient client() {
        return TestRegistry.SHARED.client();
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
