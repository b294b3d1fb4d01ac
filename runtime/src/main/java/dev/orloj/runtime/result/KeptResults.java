package dev.orloj.runtime.result;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the complete results of which clients received a part only, as they were received, in the
 * memory of this replica. Limited in number, bytes and time; the oldest results are evicted first.
 * Thread-safe, lock-free.
 */
public final class KeptResults {

    private static final int MAX_RESULTS = 1_000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;
    private static final Duration TIME = Duration.ofMinutes(15);

    /**
     * @param caller the client whose call had the result
     * @param json the complete result
     */
    private record Kept(String id, ResourceKey tool, String caller, Instant until, byte[] json) {}

    private final InstantSource clock;
    private final int mostResults;
    private final long mostBytes;
    private final Duration time;
    private final ConcurrentMap<String, Kept> byId = new ConcurrentHashMap<>();
    private final ConcurrentLinkedDeque<Kept> oldestFirst = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Keeps one thousand results with 64 MiB in total, each for 15 minutes. */
    public KeptResults(InstantSource clock) {
        this(clock, MAX_RESULTS, MAX_BYTES, TIME);
    }

    KeptResults(InstantSource clock, int mostResults, long mostBytes, Duration time) {
        this.clock = clock;
        this.mostResults = mostResults;
        this.mostBytes = mostBytes;
        this.time = time;
    }

    /** Returns the maximum time that a result is kept. */
    public Duration time() {
        return time;
    }

    /**
     * Keeps a result and returns its id, which cannot be guessed; empty when the result is too
     * large.
     *
     * @param caller the client of the call
     */
    Optional<String> keep(ResourceKey tool, String caller, JsonNode result) {
        byte[] json = Json.MAPPER.writeValueAsBytes(result);
        if (json.length > mostBytes) {
            return Optional.empty();
        }
        String id = UUID.randomUUID().toString();
        Kept kept = new Kept(id, tool, caller, clock.instant().plus(time), json);
        byId.put(id, kept);
        oldestFirst.addLast(kept);
        count.incrementAndGet();
        bytes.addAndGet(json.length);
        makeRoom();
        return Optional.of(id);
    }

    /**
     * Returns the complete result as JSON, while it is kept.
     *
     * @param user sees only results of its own calls; empty, where users are not known, for all
     */
    public Optional<byte[]> find(ResourceKey tool, String id, String user) {
        makeRoom();
        return Optional.ofNullable(byId.get(id))
                .filter(kept -> kept.tool().equals(tool))
                .filter(kept -> user.isEmpty() || kept.caller().equals(user))
                .map(Kept::json);
    }

    /**
     * Returns a page of the text of a result.
     *
     * @param user as for the complete result
     * @param offset in bytes; an offset within a character moves to the next character
     * @param limit in bytes
     */
    public Optional<TextPage> findText(
            ResourceKey tool, String id, String user, long offset, int limit) {
        return find(tool, id, user)
                .map(Json.MAPPER::readTree)
                .map(result -> String.join(ResultText.SEPARATOR, ResultText.texts(result)))
                .map(text -> TextPage.of(text, offset, limit));
    }

    private void makeRoom() {
        Instant now = clock.instant();
        for (Kept oldest = oldestFirst.peekFirst();
                oldest != null && (isOver(oldest, now) || isFull());
                oldest = oldestFirst.peekFirst()) {
            if (oldestFirst.removeFirstOccurrence(oldest)) {
                byId.remove(oldest.id());
                count.decrementAndGet();
                bytes.addAndGet(-oldest.json().length);
            }
        }
    }

    private static boolean isOver(Kept kept, Instant now) {
        return !now.isBefore(kept.until());
    }

    private boolean isFull() {
        return count.get() > mostResults || bytes.get() > mostBytes;
    }
}
