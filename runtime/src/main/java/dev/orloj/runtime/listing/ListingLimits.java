package dev.orloj.runtime.listing;

import org.jspecify.annotations.Nullable;

/**
 * The largest tool list that is taken from a server.
 *
 * @param tools how many tools
 * @param bytes how many bytes all definitions together may have, as UTF-8
 * @param pages how many pages
 */
public record ListingLimits(Bound tools, Bound bytes, Bound pages) {

    /**
     * @param most the number that holds
     * @param ceiling the largest number that a manifest may ask for
     */
    public record Bound(long most, long ceiling) {

        public Bound {
            if (most < 1 || ceiling < most) {
                throw new IllegalArgumentException(
                        "A bound of %d below a ceiling of %d".formatted(most, ceiling));
            }
        }
    }

    /** A tool whose definition is larger than this, in bytes of UTF-8, is left out. */
    public static final int LARGEST_TOOL = 512 * 1024;

    /** A tool whose name has more characters is left out. */
    public static final int LONGEST_NAME = 1_024;

    /** For servers whose manifests say nothing else. */
    public static final ListingLimits DEFAULT = Ceilings.DEFAULT.limits(null, null, null);

    /**
     * What manifests may ask for at most.
     *
     * @param tools how many tools
     * @param bytes of all definitions together
     * @param pages how many pages
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

        /** The limits of a server whose manifest says this; null where it says nothing. */
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
