package dev.orloj.server.token;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.ServiceAccount;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The ServiceAccounts and namespaces in the store, which this follows. Thread-safe. */
public final class ServiceAccounts implements AutoCloseable {

    private final ResourceClient client;
    private final Informers informers;
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong losses = new AtomicLong();

    public ServiceAccounts(ResourceClient client) {
        this.client = client;
        informers = new Informers(client, List.of(ServiceAccount.KIND, Namespace.KIND));
        follow(ServiceAccount.KIND);
        follow(Namespace.KIND);
    }

    private <R extends Resource> void follow(Kind<R> kind) {
        informers
                .of(kind)
                .addHandler(
                        new EventHandler<R>() {
                            @Override
                            public void added(R resource, boolean initial) {
                                changes.incrementAndGet();
                            }

                            @Override
                            public void updated(R before, R after) {
                                changes.incrementAndGet();
                                losses.incrementAndGet();
                            }

                            @Override
                            public void deleted(R last) {
                                changes.incrementAndGet();
                                losses.incrementAndGet();
                            }
                        });
    }

    /** Returns when all accounts have been read. */
    public void start() throws InterruptedException {
        informers.all().forEach(Informer::start);
        for (Informer<?> informer : informers.all()) {
            informer.awaitSynced();
        }
    }

    /** Returns the number of changes so far. */
    long changes() {
        return changes.get();
    }

    /** Returns the number of changes so far by which a token may have become invalid. */
    long losses() {
        return losses.get();
    }

    List<Namespace> namespaces() {
        return informers.of(Namespace.KIND).cache().list();
    }

    /** Whether there is the account, as far as this has been informed. */
    boolean isKnown(ResourceKey key) {
        return informers.of(ServiceAccount.KIND).cache().find(key).isPresent();
    }

    public Optional<ServiceAccount> find(ResourceKey key) {
        return client.find(ServiceAccount.KIND, key);
    }

    /** Whether an account exists, and is the one that it was. A new one is read from the store. */
    boolean exists(ResourceKey key, String uid) {
        return informers
                .of(ServiceAccount.KIND)
                .cache()
                .find(key)
                .filter(account -> isSame(account, uid))
                .or(() -> find(key).filter(account -> isSame(account, uid)))
                .isPresent();
    }

    boolean exists(BoundObject bound, String namespace) {
        return find(bound.resourceKind(), new ResourceKey(namespace, bound.name()))
                .filter(object -> isSame(object, bound.uid()))
                .isPresent();
    }

    public Optional<? extends Resource> find(Kind<? extends Resource> kind, ResourceKey key) {
        return client.find(kind, key);
    }

    private static boolean isSame(Resource resource, String uid) {
        ObjectMeta metadata = resource.metadata();
        return uid.equals(metadata.uid()) && metadata.deletionTimestamp() == null;
    }

    @Override
    public void close() throws InterruptedException {
        for (Informer<?> informer : informers.all()) {
            informer.close();
        }
    }
}
