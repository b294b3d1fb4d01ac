package dev.orloj.runtime.listing;

/** A server lists more tools than allowed. Listing again does not help. */
public final class ListingLimitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The exceeded limit. */
    public enum Limit {
        TOOLS("TooManyTools", "%,d tools", "max_tools"),
        BYTES("ListingTooLarge", "%,d bytes of tool definitions", "max_bytes"),
        PAGES("TooManyPages", "%,d pages of tools", "max_pages");

        private final String reason;
        private final String amount;
        private final String field;

        Limit(String reason, String amount, String field) {
            this.reason = reason;
            this.amount = amount;
            this.field = field;
        }

        /** Returns the name in CamelCase, for a condition. */
        public String reason() {
            return reason;
        }

        private ListingLimits.Bound of(ListingLimits limits) {
            return switch (this) {
                case TOOLS -> limits.tools();
                case BYTES -> limits.bytes();
                case PAGES -> limits.pages();
            };
        }

        private String property() {
            return "orloj.tool-limits." + field.replace('_', '-');
        }
    }

    private final Limit limit;

    private ListingLimitException(Limit limit, String message) {
        super(message);
        this.limit = limit;
    }

    public Limit limit() {
        return limit;
    }

    /**
     * @throws ListingLimitException when {@code seen} exceeds the limit
     */
    public static void check(Limit limit, long seen, ListingLimits limits) {
        ListingLimits.Bound bound = limit.of(limits);
        if (seen > bound.most()) {
            throw new ListingLimitException(limit, message(limit, seen, bound));
        }
    }

    private static String message(Limit limit, long seen, ListingLimits.Bound bound) {
        String what =
                ("The server lists at least "
                                + limit.amount
                                + ", and spec.tool_limits.%s allows %,d")
                        .formatted(seen, limit.field, bound.most());
        return bound.most() < bound.ceiling()
                ? what
                        + "; raise the field, up to the %,d that orlojd allows, or have the server list less"
                                .formatted(bound.ceiling())
                : what
                        + ", the most that orlojd allows; have its operator raise %s, or the server list less"
                                .formatted(limit.property());
    }
}
