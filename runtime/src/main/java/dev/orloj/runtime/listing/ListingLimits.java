package dev.orloj.runtime.listing;

import org.jspecify.annotations.Nullable;

/**
 * The maximum size of a server's tool list.
 *
 * @param tools maximum number of tools
 * @param bytes maximum size of all definitions in bytes of UTF-8
 * @param pages maximum number of pages
 */
public record ListingLimits(Bound tools, Bound bytes, Bound pages) {

    /**
     * @param most the limit that applies
     * @param ceiling the highest limit that a manifest may set
     */
    public record Bound(long most, long ceiling) {

        public Bound {
            if (most < 1 || ceiling < most) {
                throw new IllegalArgumentException(
                        "A bound of %d below a ceiling of %d".formatted(most, ceiling));
            }
        }
    }

    /**
     * Maximum size of a tool's definition in bytes of UTF-8; a tool with a larger one is omitted.
     */
    public static final int LARGEST_TOOL = 512 * 1024;

    /** Maximum length of a tool's name in characters; a tool with a longer one is omitted. */
    public static final int LONGEST_NAME = 1_024;

    /**
     * The highest limits that manifests may set.
     *
     * @param tools number of tools
     * @param bytes size of all definitions
     * @param pages number of pages
     */
    public record Ceilings(long tools, long bytes, long pages) {

        public static final Ceilings DEFAULT = new Ceilings(10_000, 64L * 1024 * 1024, 1_000);

        private static final long USUAL_TOOLS = 1_000;
        private static final long USUAL_BYTES = 16L * 1024 * 1024;
        private static final long USUAL_PAGES = 100;

        public Ceilings {
            if (tools < 1 || bytes < 1 || pages < 1) {
                throw new IllegalArgumentException(
                        "Ceilings of %d tools, %d bytes and %d pages: each must be at least 1"
                                .formatted(tools, bytes, pages));
            }
        }

        /**
         * Returns the limits of a server whose manifest sets these values; null for a value that is
         * not set.
         */
        public ListingLimits limits(
                @Nullable Long maxTools, @Nullable Long maxBytes, @Nullable Long maxPages) {
            return new ListingLimits(
                    bound(maxTools, USUAL_TOOLS, tools),
                    bound(maxBytes, USUAL_BYTES, bytes),
                    bound(maxPages, USUAL_PAGES, pages));
        }

        private static Bound bound(@Nullable Long given, long usual, long ceiling) {
            return new Bound(Math.min(given == null ? usual : given, ceiling), ceiling);
        }
    }
}
