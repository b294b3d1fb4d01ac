package dev.orloj.api.client;

import dev.orloj.api.FieldSelector;
import dev.orloj.api.LabelSelector;
import dev.orloj.api.ResourceVersion;

/**
 * Selects the resources of a list.
 *
 * @param namespace empty for all
 * @param limit the size of a page; 0 for everything at once
 * @param continueToken the end of the previous page; empty for the first page
 * @param notOlderThan the list must be at least as new as this; unset for the newest
 */
public record ListOptions(
        String namespace,
        LabelSelector labels,
        FieldSelector fields,
        int limit,
        String continueToken,
        ResourceVersion notOlderThan) {

    public ListOptions {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit + " is negative");
        }
    }

    /** Selects everything in every namespace. */
    public static ListOptions everything() {
        return inNamespace("");
    }

    public static ListOptions inNamespace(String namespace) {
        return new ListOptions(
                namespace,
                LabelSelector.EVERYTHING,
                FieldSelector.EVERYTHING,
                0,
                "",
                ResourceVersion.UNSET);
    }

    public ListOptions withLabels(LabelSelector selector) {
        return new ListOptions(namespace, selector, fields, limit, continueToken, notOlderThan);
    }

    /** Selects the page of {@code size} resources that starts at {@code token}. */
    public ListOptions page(int size, String token) {
        return new ListOptions(namespace, labels, fields, size, token, notOlderThan);
    }
}
