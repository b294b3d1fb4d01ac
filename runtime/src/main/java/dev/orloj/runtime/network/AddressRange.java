package dev.orloj.runtime.network;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * A range of IPv4 or IPv6 addresses with a common prefix.
 *
 * @param length number of common bits
 */
record AddressRange(InetAddress first, int length) {

    /**
     * @param text an address, or a network such as {@code 10.0.0.0/8}
     * @throws IllegalArgumentException when the text is neither
     */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress first =
                InetAddress.ofLiteral(
                        slash < 0 ? text : text.substring(0, slash)); // without a DNS lookup
        int bits = first.getAddress().length * 8;
        int length = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException("a network has 0 to " + bits + " bits");
        }
        return new AddressRange(first, length);
    }

    boolean contains(InetAddress address) {
        byte[] one = first.getAddress();
        byte[] other = address.getAddress();
        int whole = length / 8;
        if (one.length != other.length || !Arrays.equals(one, 0, whole, other, 0, whole)) {
            return false;
        }
        int rest = length % 8;
        return rest == 0 || ((one[whole] ^ other[whole]) & 0xff) >> (8 - rest) == 0;
    }
}
