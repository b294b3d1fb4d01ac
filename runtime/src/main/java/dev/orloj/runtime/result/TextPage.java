package dev.orloj.runtime.result;

import java.util.OptionalLong;

/**
 * A part of a text. Offsets are in bytes of UTF-8.
 *
 * @param offset start of the page
 * @param bytes length of the whole text
 * @param next start of the next page; empty after the last page
 */
public record TextPage(long offset, long bytes, OptionalLong next, String text) {

    /** Returns a page of whole characters; at least one for any limit, so that paging ends. */
    static TextPage of(String text, long offset, int limit) {
        long bytes = Utf8.length(text);
        int begin = Utf8.indexAt(text, offset);
        long from = Utf8.length(text.substring(0, begin));
        if (from < offset && begin < text.length()) {
            begin = text.offsetByCodePoints(begin, 1);
            from = Utf8.length(text.substring(0, begin));
        }
        String rest = text.substring(begin);
        int length = Utf8.indexAt(rest, limit);
        if (length == 0 && !rest.isEmpty()) {
            length = rest.offsetByCodePoints(0, 1);
        }
        String page = rest.substring(0, length);
        long next = from + Utf8.length(page);
        return new TextPage(
                from, bytes, next < bytes ? OptionalLong.of(next) : OptionalLong.empty(), page);
    }
}
