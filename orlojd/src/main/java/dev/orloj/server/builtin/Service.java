package dev.orloj.server.builtin;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

/** A network service of a cluster. None exist, but {@code kubectl cluster-info} lists them. */
record Service(String apiVersion, String kind, ObjectMeta metadata) implements Resource {

    static final Kind<Service> KIND =
            new Kind<>("", "v1", "Service", "services", true, Service.class);

    static final KindDescriptor<Service> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Service.class, "service.schema.json"))
                    .shortNames("svc")
                    .readOnly()
                    .build();

    @Override
    public Service withMetadata(ObjectMeta replacement) {
        return new Service(apiVersion, kind, replacement);
    }
}
