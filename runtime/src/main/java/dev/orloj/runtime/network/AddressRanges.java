package dev.orloj.runtime.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * Distinguishes public addresses from those of this host, of private networks and of no single
 * machine.
 */
public final class AddressRanges {

    /**
     * IPv4 addresses that are not public (RFC 6890), including the metadata services of clouds. The
     * ranges for documentation are omitted, because no machine has them.
     */
    static final List<String> NEAR =
            List.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "224.0.0.0/4",
                    "240.0.0.0/4");

    private static final List<Range> RANGES = NEAR.stream().map(Range::parse).toList();

    private AddressRanges() {}

    private record Range(int network, int mask) {

        static Range parse(String cidr) {
            int slash = cidr.indexOf('/');
            int length = Integer.parseInt(cidr.substring(slash + 1));
            int mask = -1 << (32 - length);
            byte[] address = InetAddress.ofLiteral(cidr.substring(0, slash)).getAddress();
            return new Range(bits(address, 0) & mask, mask);
        }

        boolean contains(int address) {
            return (address & mask) == network;
        }
    }

    /**
     * Returns whether the address is public. For IPv6, that means global unicast (2000::/3) except
     * the ranges that embed an IPv4 address, 6to4 and Teredo.
     */
    public static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            int bits = bits(bytes, 0);
            return RANGES.stream().noneMatch(range -> range.contains(bits));
        }
        int first = bits(bytes, 0);
        boolean globalUnicast = (first & 0xe000_0000) == 0x2000_0000;
        boolean sixToFour = (first & 0xffff_0000) == 0x2002_0000;
        boolean teredo = first == 0x2001_0000;
        return globalUnicast && !sixToFour && !teredo;
    }

    private static int bits(byte[] bytes, int from) {
        return (bytes[from] & 0xff) << 24
                | (bytes[from + 1] & 0xff) << 16
                | (bytes[from + 2] & 0xff) << 8
                | (bytes[from + 3] & 0xff);
    }
}
