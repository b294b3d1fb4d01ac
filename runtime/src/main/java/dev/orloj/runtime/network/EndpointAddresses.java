package dev.orloj.runtime.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which addresses the endpoints of manifests may use: all addresses except link-local ones
 * and those of the metadata services of clouds, which give credentials of the machine to any
 * client. Operators can deny and allow further addresses. An IPv6 address that embeds an IPv4
 * address counts as both. Immutable.
 */
public final class EndpointAddresses {

    private static final String LINK_LOCAL =
            "is link-local, where clouds have their metadata services";
    private static final String METADATA = "is the metadata service of a cloud";

    /** AWS, Google, Alibaba, Oracle and Azure use additional addresses for their services. */
    private static final List<Denial> ALWAYS =
            List.of(
                    new Denial(AddressRange.parse("169.254.0.0/16"), LINK_LOCAL),
                    new Denial(AddressRange.parse("fe80::/10"), LINK_LOCAL),
                    new Denial(AddressRange.parse("fd00:ec2::/32"), METADATA),
                    new Denial(AddressRange.parse("fd20:ce::/32"), METADATA),
                    new Denial(AddressRange.parse("100.100.100.200"), METADATA),
                    new Denial(AddressRange.parse("192.0.0.192"), METADATA),
                    new Denial(AddressRange.parse("168.63.129.16"), METADATA));

    private static final Map<String, List<String>> GROUPS =
            Map.of(
                    "loopback", List.of("127.0.0.0/8", "0.0.0.0/8", "::1", "::"),
                    "private",
                            List.of(
                                    "10.0.0.0/8",
                                    "172.16.0.0/12",
                                    "192.168.0.0/16",
                                    "100.64.0.0/10",
                                    "fc00::/7"));

    /** The rules without further denied or allowed addresses. */
    public static final EndpointAddresses DEFAULT = new EndpointAddresses(List.of(), List.of());

    private final List<Denial> denied;
    private final List<AddressRange> allowed;

    private record Denial(AddressRange range, String why) {}

    /**
     * @param denied addresses, networks such as {@code 10.0.0.0/8}, or {@code loopback} and {@code
     *     private}
     * @param allowed same format; takes precedence over denied
     * @throws IllegalArgumentException when an entry is invalid, with that entry
     */
    public EndpointAddresses(List<String> denied, List<String> allowed) {
        List<Denial> all = new ArrayList<>(ALWAYS);
        for (String entry : denied) {
            ranges(entry).forEach(range -> all.add(new Denial(range, why(entry))));
        }
        this.denied = List.copyOf(all);
        this.allowed = allowed.stream().flatMap(entry -> ranges(entry).stream()).toList();
    }

    /**
     * Validates the entries of one of the constructor's lists and returns them.
     *
     * @throws IllegalArgumentException when an entry is invalid, with that entry
     */
    public static List<String> checked(List<String> entries) {
        entries.forEach(EndpointAddresses::ranges);
        return entries;
    }

    private static String why(String entry) {
        return "is denied by \"%s\" in --endpoint-deny (orloj.endpoints.deny)".formatted(entry);
    }

    private static List<AddressRange> ranges(String entry) {
        try {
            return GROUPS.getOrDefault(entry, List.of(entry)).stream()
                    .map(AddressRange::parse)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"%s\" is no address; give one, a network such as 10.0.0.0/8, loopback or private"
                            .formatted(entry),
                    e);
        }
    }

    /** Returns why an endpoint must not use an address, and the remedy; empty when it may. */
    public Optional<String> objection(InetAddress address) {
        List<InetAddress> forms = forms(address);
        if (allowed.stream().anyMatch(range -> forms.stream().anyMatch(range::contains))) {
            return Optional.empty();
        }
        String text = address.getHostAddress();
        return denied.stream()
                .filter(denial -> forms.stream().anyMatch(denial.range()::contains))
                .findFirst()
                .map(
                        denial ->
                                "%s %s; if endpoints may lead there, start orlojd with --endpoint-allow %s"
                                        .formatted(text, denial.why(), text));
    }

    /**
     * Checks the host of a URL in the same way. A name is resolved when a connection is made, so it
     * is accepted here.
     */
    public Optional<String> objection(String host) {
        return literals(host).stream().map(this::objection).flatMap(Optional::stream).findFirst();
    }

    /**
     * Returns the permitted addresses of a host.
     *
     * @throws RefusedAddressException when the host has addresses, but none is permitted
     */
    InetAddress[] permitted(String host, InetAddress[] addresses) throws UnknownHostException {
        InetAddress[] permitted =
                Arrays.stream(addresses)
                        .filter(address -> objection(address).isEmpty())
                        .toArray(InetAddress[]::new);
        if (permitted.length == 0 && addresses.length > 0) {
            throw new RefusedAddressException(
                    "the endpoint may not be reached: "
                            + (host.equals(addresses[0].getHostAddress())
                                    ? ""
                                    : "\"%s\" has the address ".formatted(host))
                            + objection(addresses[0]).orElseThrow());
        }
        return permitted;
    }

    /**
     * Returns the addresses that a host may denote without a lookup: resolvers disagree about 0251
     * and 0xa9fea9fe.
     */
    private static List<InetAddress> literals(String host) {
        String text = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (text.startsWith("[") && text.endsWith("]")) {
            text = text.substring(1, text.length() - 1);
        }
        int zone = text.indexOf('%');
        text = zone < 0 ? text : text.substring(0, zone);
        List<InetAddress> found = new ArrayList<>();
        try {
            found.add(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            // Java does not parse it as an address.
        }
        try {
            found.add(Inet4Address.ofPosixLiteral(text));
        } catch (IllegalArgumentException e) {
            // POSIX does not parse it as an address.
        }
        return found;
    }

    /** Returns the address and the IPv4 address that it embeds: compatible, NAT64 or 6to4. */
    private static List<InetAddress> forms(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == 4) {
            return List.of(address);
        }
        boolean isCompatible = isZero(bytes, 0, 12);
        boolean isNat64 = bytes[0] == 0 && bytes[1] == 0x64 && (bytes[2] & 0xff) == 0xff;
        boolean isSixToFour = bytes[0] == 0x20 && bytes[1] == 0x02;
        if (!isCompatible && !isNat64 && !isSixToFour) {
            return List.of(address);
        }
        int from = isSixToFour ? 2 : 12;
        try {
            return List.of(
                    address, InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
