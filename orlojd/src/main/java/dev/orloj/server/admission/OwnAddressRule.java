package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.Resource;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Rejects endpoints at an address where this orlojd listens. Resolves no names except {@code
 * localhost} and that of the machine: a loop through other names is detected when tools are listed.
 * Thread-safe.
 */
public final class OwnAddressRule implements AdmissionRule {

    private static final FieldPath ENDPOINT = FieldPath.of("spec", "endpoint");
    private static final int NOT_YET = -1;
    private static final String SERVER =
            "and its tools would come back to it as tools of a server; give the endpoint of the MCP"
                    + " server";
    private static final String TOOL =
            "and a Tool must not call what makes it; give the endpoint of another service";

    private final InetAddress bound;
    private volatile int port = NOT_YET;

    /**
     * @param bound the listen address
     */
    public OwnAddressRule(InetAddress bound) {
        this.bound = bound;
    }

    /** Activates the rule once the port is known. */
    public void listenOn(int listening) {
        port = listening;
    }

    @Override
    public List<FieldError> check(Resource resource) {
        if (port == NOT_YET) {
            return List.of();
        }
        return switch (resource) {
            case McpServer server -> check(server.spec().http().endpoint().strip(), SERVER);
            case Tool tool when tool.spec().type().equals(Tool.TYPE_HTTP) ->
                    check(tool.spec().endpoint().strip(), TOOL);
            default -> List.of();
        };
    }

    private List<FieldError> check(String endpoint, String remedy) {
        return EndpointOrigin.of(endpoint).filter(this::isOwn).stream()
                .map(
                        _ ->
                                FieldError.invalid(
                                        ENDPOINT,
                                        endpoint,
                                        "this orlojd itself listens at that address, " + remedy))
                .toList();
    }

    private boolean isOwn(URI uri) {
        int usual = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
        return (uri.getPort() < 0 ? usual : uri.getPort()) == port && isOwn(uri.getHost());
    }

    private boolean isOwn(String host) {
        String text = host.toLowerCase(Locale.ROOT);
        text = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (text.equals("localhost") || text.endsWith(".localhost")) {
            return bound.isLoopbackAddress() || bound.isAnyLocalAddress();
        }
        if (text.equals(machine())) {
            return bound.isAnyLocalAddress() || isOfThisMachine(bound);
        }
        return literal(text).filter(this::isListenedOn).isPresent();
    }

    private boolean isListenedOn(InetAddress address) {
        boolean isLoopback = address.isLoopbackAddress() || address.isAnyLocalAddress();
        if (bound.isAnyLocalAddress()) {
            return isLoopback || isOfThisMachine(address);
        }
        return bound.isLoopbackAddress() ? isLoopback : bound.equals(address);
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return !address.isLoopbackAddress()
                    && NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
        } catch (UnknownHostException e) {
            return "";
        }
    }

    /** Parses an address as Java does, or else as resolvers do: 127.1 and 0x7f000001. */
    private static Optional<InetAddress> literal(String host) {
        String text =
                host.startsWith("[") && host.endsWith("]")
                        ? host.substring(1, host.length() - 1)
                        : host;
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            return posixLiteral(text);
        }
    }

    private static Optional<InetAddress> posixLiteral(String text) {
        try {
            return Optional.of(Inet4Address.ofPosixLiteral(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
