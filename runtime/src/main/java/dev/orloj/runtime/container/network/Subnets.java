package dev.orloj.runtime.container.network;

import java.net.Inet4Address;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Selects small subnets from a range that no network uses (RFC 2544, for benchmarks): the engine's
 * own address pool is enough for about thirty networks only. Stateless.
 */
final class Subnets {

    /** The number of subnets. */
    static final int COUNT = 4096;

    private static final int FIRST = 198 << 24 | 19 << 16;
    private static final int LENGTH = 28;
    private static final int SIZE = 1 << (32 - LENGTH);

    private Subnets() {}

    /**
     * Returns the subnets that contain no interface of this host, starting with the given number.
     */
    static List<String> free(int from) throws SocketException {
        List<int[]> taken = new ArrayList<>();
        for (NetworkInterface known : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress address : known.getInterfaceAddresses()) {
                if (address.getAddress() instanceof Inet4Address inet) {
                    int mask = mask(address.getNetworkPrefixLength());
                    taken.add(new int[] {bits(inet) & mask, mask});
                }
            }
        }
        List<String> free = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            int network = FIRST + Math.floorMod(from + i, COUNT) * SIZE;
            if (taken.stream().noneMatch(t -> overlap(network, t[0], t[1]))) {
                free.add(text(network));
            }
        }
        return free;
    }

    private static boolean overlap(int network, int other, int otherMask) {
        int mask = mask(LENGTH) & otherMask;
        return (network & mask) == (other & mask);
    }

    private static int mask(int length) {
        return length == 0 ? 0 : -1 << (32 - length);
    }

    private static int bits(Inet4Address address) {
        byte[] bytes = address.getAddress();
        return (bytes[0] & 0xff) << 24
                | (bytes[1] & 0xff) << 16
                | (bytes[2] & 0xff) << 8
                | (bytes[3] & 0xff);
    }

    private static String text(int network) {
        return String.format(
                Locale.ROOT,
                "%d.%d.%d.%d/%d",
                network >>> 24,
                network >>> 16 & 0xff,
                network >>> 8 & 0xff,
                network & 0xff,
                LENGTH);
    }
}
