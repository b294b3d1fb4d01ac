package dev.orloj.runtime.client;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.extension.Extensions;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Set;
import java.util.TreeSet;

/**
 * The requests that a server may send to the clients of its calls, by names of {@link
 * ClientCapabilities}. A server of an older revision learns them once, in the handshake, so the
 * owner of the server has to promise them. A newer one learns with each request what its client
 * declared.
 *
 * @param parked requests that servers of older revisions may send, too
 * @param rejected requests that no server may send
 * @param extensions that are declared to servers of older revisions, with settings
 */
public record ServerRequestPolicy(Set<String> parked, Set<String> rejected, ObjectNode extensions) {

    /** Servers of older revisions may send no requests. */
    public static final ServerRequestPolicy DEFAULT = new ServerRequestPolicy(Set.of(), Set.of());

    /** A policy that declares no extensions. */
    public ServerRequestPolicy(Set<String> parked, Set<String> rejected) {
        this(parked, rejected, JsonNodeFactory.instance.objectNode());
    }

    public ServerRequestPolicy {
        parked = Frozen.set(parked);
        rejected = Frozen.set(rejected);
    }

    /** Whether a server of an older revision may send any request. */
    public boolean parks() {
        return !parked.isEmpty();
    }

    /** What {@code initialize} declares. */
    ObjectNode declared() {
        ObjectNode capabilities = JsonNodeFactory.instance.objectNode();
        for (String name : new TreeSet<>(parked)) {
            ObjectNode capability = capabilities.putObject(name);
            if (name.equals(ClientCapabilities.ELICITATION)) {
                capability.putObject("form");
                capability.putObject("url");
            }
        }
        if (!extensions.isEmpty()) {
            capabilities.set(Extensions.MEMBER, extensions.deepCopy());
        }
        return capabilities;
    }

    /** The capabilities of a client that a server of an older revision may use. */
    ClientCapabilities towardsOlder(ClientCapabilities client) {
        return client.filtered(parked::contains);
    }

    /** Whether no server may send this request, whatever the client declared. */
    public boolean rejects(String method) {
        return ClientCapabilities.neededBy(method).filter(rejected::contains).isPresent();
    }

    /** The capabilities of a client that a server of a newer revision may use. */
    ClientCapabilities towardsNewer(ClientCapabilities client) {
        return rejected.isEmpty() ? client : client.filtered(name -> !rejected.contains(name));
    }
}
