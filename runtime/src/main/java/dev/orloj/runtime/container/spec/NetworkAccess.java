package dev.orloj.runtime.container.spec;

import java.util.List;

/**
 * The network access of a container.
 *
 * @param allowHosts with {@link Mode#ISOLATED}: the only hosts that the container reaches, {@code
 *     host} or {@code host:port}; empty means the whole internet
 */
public record NetworkAccess(Mode mode, List<String> allowHosts) {

    public enum Mode {
        /** No network; only the loopback interface. */
        NONE,
        /**
         * A separate network with access to the internet, but not to other servers, this host,
         * private addresses and the metadata service.
         */
        ISOLATED,
        /**
         * The default network of the engine, where all containers of this mode reach each other.
         */
        BRIDGE
    }

    public static final NetworkAccess NONE = new NetworkAccess(Mode.NONE, List.of());
    public static final NetworkAccess ISOLATED = new NetworkAccess(Mode.ISOLATED, List.of());
    public static final NetworkAccess BRIDGE = new NetworkAccess(Mode.BRIDGE, List.of());

    public NetworkAccess {
        allowHosts = List.copyOf(allowHosts);
        if (!allowHosts.isEmpty() && mode != Mode.ISOLATED) {
            throw new IllegalArgumentException("Only an isolated network has allowed hosts");
        }
    }
}
