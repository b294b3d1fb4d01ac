package dev.orloj.runtime.client;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.extension.Extensions;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Set;
import java.util.TreeSet;

/**
 * Determines the requests that a server may send to the clients of its calls, by names of {@link
 * ClientCapabilities}. A server of an older revision receives the capabilities once, in the
 * handshake, so the owner of the server has to declare them. A newer server receives the
 * capabilities of its client with each request.
 *
 * @param parked requests that servers of older revisions may send, too
 * @param rejected requests that no server may send
 * @param extensions extensions that are declared to servers of older revisions, with settings
 */
public record ServerRequestPolicy(Set<String> parked, Set<String> rejected, ObjectNode extensions) {

    /** Servers of older revisions may send no requests. */
    public static final ServerRequestPolicy DEFAULT = new ServerRequestPolicy(Set.of(), Set.of());

    /** Creates a policy that declares no extensions. */
    public ServerRequestPolicy(Set<String> parked, Set<String> rejected) {
        this(parked, rejected, JsonNodeFactory.instance.objectNode());
    }

    public ServerRequestPolicy {
        parked = Frozen.set(parked);
        rejected = Frozen.set(rejected);
    }

    /** Returns whether a server of an older revision may send any request. */
    public boolean parks() {
        return !parked.isEmpty();
    }

    /** Returns the capabilities that {@code initialize} declares. */
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

    /** Returns the capabilities of a client that a server of an older revision may use. */
    ClientCapabilities towardsOlder(ClientCapabilities client) {
        return client.filtered(parked::contains);
    }

    /** Returns whether no server may send this request, regardless of the client's capabilities. */
    public boolean rejects(String method) {
        return ClientCapabilities.neededBy(method).filter(rejected::contains).isPresent();
    }

    /** Returns the capabilities of a client that a server of a newer revision may use. */
    ClientCapabilities towardsNewer(ClientCapabilities client) {
        return rejected.isEmpty() ? client : client.filtered(name -> !rejected.contains(name));
    }
}
