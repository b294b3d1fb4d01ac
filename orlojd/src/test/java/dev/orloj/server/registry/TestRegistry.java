package dev.orloj.server.registry;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Kinds;
import dev.orloj.server.admission.Admission;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.store.PostgresStore;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.table.StoreSettings;

import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/** A registry over a database of its own, with the default namespace in it. */
record TestRegistry(ResourceRegistry registry, ResourceClient client, JdbcClient jdbc) {

    private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    static final TestRegistry SHARED = create();

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
        ResourceClient client = new LocalResourceClient(registry, Kinds.SCHEME);
        PermanentNamespaces.ensure(client);
        PermanentNamespaces.ensure(client);
        return new TestRegistry(registry, client, database.jdbc());
    }
}
