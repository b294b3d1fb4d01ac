package dev.orloj.controllers.namespace;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.client.ResourceList;
import dev.orloj.api.client.Write;

import java.util.ArrayList;
import java.util.List;

/** Deletes all resources in a namespace, of every kind. Thread-safe. */
final class NamespaceContent {

    private static final int PAGE = 500;

    private final ResourceClient client;
    private final List<? extends Kind<?>> kinds;

    /**
     * @param kinds in the order in which their resources are deleted
     */
    NamespaceContent(ResourceClient client, List<? extends Kind<?>> kinds) {
        this.client = client;
        this.kinds = List.copyOf(kinds);
    }

    /** Deletes the content and returns what finalizers still keep. */
    Remains delete(String namespace) {
        Remains remains = new Remains();
        kinds.forEach(kind -> delete(kind, namespace, remains));
        return remains;
    }

    private <R extends Resource> void delete(Kind<R> kind, String namespace, Remains remains) {
        ListOptions options = ListOptions.inNamespace(namespace);
        ResourceList<R> page = client.list(kind, options.page(PAGE, ""));
        deletePage(kind, page.items(), remains);
        while (page.hasMore()) {
            page = client.list(kind, options.page(PAGE, page.continueToken()));
            deletePage(kind, page.items(), remains);
        }
    }

    private <R extends Resource> void deletePage(Kind<R> kind, List<R> page, Remains remains) {
        List<Write<R>> deletions = new ArrayList<>();
        for (R resource : page) {
            if (!resource.metadata().finalizers().isEmpty()) {
                remains.add(kind, resource);
            }
            if (!resource.metadata().isDeleting()) {
                deletions.add(
                        new Write.Delete<>(
                                resource.key(), DeleteOptions.ofIncarnation(resource.metadata())));
            }
        }
        if (deletions.isEmpty()) {
            return;
        }
        try {
            client.writeAll(kind, deletions);
        } catch (ApiException e) {
            // The batch failed as a whole: another client, such as the garbage collector of their
            // owner, deletes some of them too.
            deletions.forEach(deletion -> deleteUnlessGone(kind, deletion));
        }
    }

    private <R extends Resource> void deleteUnlessGone(Kind<R> kind, Write<R> deletion) {
        try {
            client.writeAll(kind, List.of(deletion));
        } catch (ApiException e) {
            if (e.reason() != ErrorReason.NOT_FOUND && e.reason() != ErrorReason.CONFLICT) {
                throw e;
            }
        }
    }
}
