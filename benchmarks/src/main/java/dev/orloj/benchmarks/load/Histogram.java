package dev.orloj.benchmarks.load;

/**
 * Counts latencies in nanoseconds. Buckets are as wide as their values are large, so that every
 * percentile is right to 0.8 %, from nanoseconds to centuries, in a fixed amount of memory. For a
 * single thread; the histograms of many are added up.
 */
public final class Histogram {

    private static final int SUB_BUCKET_BITS = 7;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;

    private final long[] counts = new long[(Long.SIZE - SUB_BUCKET_BITS) * SUB_BUCKETS];
    private long total;
    private long max;

    public void record(long nanos) {
        long value = Math.max(0, nanos);
        counts[bucketOf(value)]++;
        total++;
        max = Math.max(max, value);
    }

    public void add(Histogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
        max = Math.max(max, other.max);
    }

    public long count() {
        return total;
    }

    /**
     * The value that this share of all values does not exceed; 0 when nothing was recorded.
     *
     * @param percent above 0, at most 100
     */
    public long percentile(double percent) {
        if (percent <= 0 || percent > 100) {
            throw new IllegalArgumentException(
                    "A percentile lies above 0 and at most at 100: " + percent);
        }
        long rank = Math.max(1, (long) Math.ceil(total * percent / 100));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(max, highestIn(i));
            }
        }
        return max;
    }

    /** Small values have a bucket each; each further power of two is cut into equal buckets. */
    private static int bucketOf(long value) {
        int exponent =
                Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - SUB_BUCKET_BITS - 1);
        return (exponent << SUB_BUCKET_BITS) + (int) (value >>> exponent);
    }

    private static long highestIn(int bucket) {
        int exponent = Math.max(0, (bucket >>> SUB_BUCKET_BITS) - 1);
        long mantissa = bucket - ((long) exponent << SUB_BUCKET_BITS);
        return ((mantissa + 1) << exponent) - 1;
    }
}
