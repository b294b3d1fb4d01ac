package dev.orloj.server.audit;

import dev.orloj.api.ResourceKey;
import dev.orloj.server.authorization.UserInfo;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Entries that share an event: calls of one batch that differ in nothing but their time and ids. An
 * event for each of 20,000 calls in a second would take a fifth of the processors.
 *
 * @param first the entry whose ids are in the event
 * @param count how many entries share the event
 */
record CoalescedEntry(AuditEntry first, AuditEntry last, int count) {

    /** Up to this number, each entry of a batch has its own event. */
    static final int MAX_SEPARATE = 100;

    private record Likeness(
            String method,
            String uri,
            @Nullable String query,
            String address,
            @Nullable String userAgent,
            UserInfo user,
            Optional<UserInfo> impersonated,
            Optional<ResourceKey> tool,
            int code,
            String error) {

        static Likeness of(AuditEntry entry) {
            AuditEntry.Received request = entry.request();
            return new Likeness(
                    request.method(),
                    request.uri(),
                    request.query(),
                    request.address(),
                    request.userAgent(),
                    entry.user(),
                    entry.impersonated(),
                    entry.tool(),
                    entry.code(),
                    entry.error());
        }
    }

    /** Returns the entries of a batch in the order of their first ones. */
    static List<CoalescedEntry> of(List<AuditEntry> batch) {
        List<CoalescedEntry> entries = new ArrayList<>();
        Map<Likeness, Integer> places = new HashMap<>();
        for (AuditEntry entry : batch) {
            boolean isSeparate = batch.size() <= MAX_SEPARATE || entry.callId().isEmpty();
            Integer place =
                    isSeparate ? null : places.putIfAbsent(Likeness.of(entry), entries.size());
            if (place == null) {
                entries.add(new CoalescedEntry(entry, entry, 1));
            } else {
                CoalescedEntry shared = entries.get(place);
                entries.set(place, new CoalescedEntry(shared.first(), entry, shared.count() + 1));
            }
        }
        return entries;
    }
}
