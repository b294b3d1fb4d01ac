package dev.orloj.server.store.table;

import dev.orloj.api.ResourceKey;

/**
 * A document as its row holds it, all of it text.
 *
 * @param labels a JSON object of texts
 * @param fields what field selectors may name, a JSON object of texts
 * @param owners uids of the owners, an array literal
 * @param json the document, secrets sealed
 */
public record StoredDocument(
        ResourceKey key, String uid, String labels, String fields, String owners, String json) {}
