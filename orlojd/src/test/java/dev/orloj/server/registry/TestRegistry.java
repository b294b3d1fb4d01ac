package dev.orloj.server.registry;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A registry over a database of its own, with the default namespace in it. */
record TestRegistry(ResourceRegistry registry, ResourceClient client, JdbcClient jdbc) {

    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    static final TestRegistry SHARED = create();

    /** Here is no controller that would remove the finalizer of a server. */
    private static Scheme withoutFinalizers() {
        KindDescriptor<McpServer> server =
                KindDescriptor.of(McpServer.KIND, McpServer.DESCRIPTOR.schema())
                        .nameRule(McpServer.DESCRIPTOR.nameRule())
                        .normalizer(McpServer.DESCRIPTOR.normalizer())
                        .withStatus()
                        .build();
        List<KindDescriptor<?>> descriptors = new ArrayList<>(Kinds.SCHEME.descriptors());
        descriptors.replaceAll(d -> d.kind().equals(McpServer.KIND) ? server : d);
        return new Scheme(descriptors);
    }

    private static TestRegistry create() {
        TestPostgres.Database database = TestPostgres.freshDatabase();
        PostgresStore store =
                new PostgresStore(
                        database.pool(),
                        database.direct(),
                        SecretCipher.fromBase64(KEY),
                        StoreSettings.DEFAULTS,
                        InstantSource.system());
        store.start();
        Runtime.getRuntime().addShutdownHook(new Thread(store::close));
        ResourceRegistry registry =
                new ResourceRegistry(
                        store,
                        new Admission(List.of()),
                        Kinds.SCHEME,
                        InstantSource.system(),
                        new Random(7));
        ResourceClient client = new LocalResourceClient(registry, withoutFinalizers());
        PermanentNamespaces.ensure(client);
        PermanentNamespaces.ensure(client);
        return new TestRegistry(registry, client, database.jdbc());
    }
}
