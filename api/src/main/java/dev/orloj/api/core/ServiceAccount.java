package dev.orloj.api.core;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.Column;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Schema;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An identity for programs. Bindings grant it roles, and tokens are issued for it.
 *
 * @param secrets kept for clients; nothing reads them
 * @param imagePullSecrets kept for clients; nothing reads them
 * @param automountServiceAccountToken kept for clients; no token is mounted anywhere
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({
    "apiVersion",
    "kind",
    "metadata",
    "secrets",
    "imagePullSecrets",
    "automountServiceAccountToken"
})
public record ServiceAccount(
        String apiVersion,
        String kind,
        ObjectMeta metadata,
        List<SecretReference> secrets,
        List<LocalReference> imagePullSecrets,
        @Nullable Boolean automountServiceAccountToken)
        implements Resource {

    public static final Kind<ServiceAccount> KIND =
            new Kind<>("", "v1", "ServiceAccount", "serviceaccounts", true, ServiceAccount.class);

    /** The account that each namespace has. */
    public static final String DEFAULT = "default";

    public static final KindDescriptor<ServiceAccount> DESCRIPTOR =
            KindDescriptor.of(
                            KIND,
                            Schema.fromResource(ServiceAccount.class, "serviceaccount.schema.json"))
                    .shortNames("sa")
                    .overwritable()
                    .strategicMerge()
                    .columns(
                            Column.integer(
                                    "Secrets",
                                    "How many secrets it names",
                                    Column.sizeOf("/secrets")))
                    .build();

    /** Names a Secret, as Kubernetes does. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record SecretReference(
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String uid,
            @Nullable String apiVersion,
            @Nullable String resourceVersion,
            @Nullable String fieldPath) {}

    /** Names a Secret of the same namespace. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record LocalReference(@Nullable String name) {}

    public ServiceAccount {
        secrets = secrets == null ? List.of() : List.copyOf(secrets);
        imagePullSecrets = imagePullSecrets == null ? List.of() : List.copyOf(imagePullSecrets);
    }

    public static ServiceAccount of(String namespace, String name) {
        return new ServiceAccount(
                KIND.apiVersion(),
                KIND.name(),
                ObjectMeta.of(namespace, name),
                List.of(),
                List.of(),
                null);
    }

    @Override
    public ServiceAccount withMetadata(ObjectMeta replacement) {
        return new ServiceAccount(
                apiVersion,
                kind,
                replacement,
                secrets,
                imagePullSecrets,
                automountServiceAccountToken);
    }
}
