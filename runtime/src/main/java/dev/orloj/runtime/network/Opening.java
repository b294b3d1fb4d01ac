package dev.orloj.runtime.network;

/**
 * A port of this host that the containers of one network may reach.
 *
 * @param requestPolicy the interface of the network
 * @param address of this host on that network, IPv4
 */
public record Opening(String requestPolicy, String address, int port) {}
