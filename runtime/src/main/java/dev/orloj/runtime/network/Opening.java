package dev.orloj.runtime.network;

/**
 * A port of this host that the containers of one network may reach.
 *
 * @param bridge the name of the bridge, the interface of the network
 * @param address IPv4 address of this host on that network
 */
public record Opening(String bridge, String address, int port) {}
