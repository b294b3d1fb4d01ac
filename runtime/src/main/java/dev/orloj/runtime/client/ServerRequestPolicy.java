package dev.orloj.runtime.client;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.extension.Extensions;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Set;
import java.util.TreeSet;

/**
 * What a server may ask the clients of its calls, by names of {@link ClientCapabilities}. A server
 * of an older revision is told once, before anybody calls, what it may ask: that is a promise which
 * its owner has to make. A newer one is told with each request what its client declared.
 *
 * @param parked what servers of older revisions may ask, too
 * @param rejected what no server may ask
 * @param extensions that servers of older revisions are told that clients have, with settings
 */
public record ServerRequestPolicy(Set<String> parked, Set<String> rejected, ObjectNode extensions) {

    /** Servers of older revisions may ask nothing. */
    public static final ServerRequestPolicy DEFAULT = new ServerRequestPolicy(Set.of(), Set.of());

    /** One that says nothing of extensions. */
    public ServerRequestPolicy(Set<String> parked, Set<String> rejected) {
        this(parked, rejected, JsonNodeFactory.instance.objectNode());
    }

    public ServerRequestPolicy {
        parked = Frozen.set(parked);
        rejected = Frozen.set(rejected);
    }

    /** Whether a server of an older revision may ask anything. */
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

    /** What of a client is open to a server of an older revision. */
    ClientCapabilities towardsOlder(ClientCapabilities client) {
        return client.filtered(parked::contains);
    }

    /** Whether no server may ask this, whatever the client declared. */
    public boolean rejects(String method) {
        return ClientCapabilities.neededBy(method).filter(rejected::contains).isPresent();
    }

    /** What of a client is open to a server that is told with each request. */
    ClientCapabilities towardsNewer(ClientCapabilities client) {
        return rejected.isEmpty() ? client : client.filtered(name -> !rejected.contains(name));
    }
}
