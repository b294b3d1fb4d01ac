package dev.orloj.server.replica;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.controllers.mcpserver.SessionJournal;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionListeners;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Receives what servers reported to the sessions of another replica. The leader reads the lists of
 * the server again; every replica does so with prompts and resources, for its own clients.
 * Thread-safe.
 */
final class ListChangeService implements ReplicaService {

    static final String KIND = "list-changes";

    private final SessionJournal journal;
    private final BooleanSupplier leads;
    private final SessionListener listeners;

    /**
     * @param listeners receive changes of lists other than tools; must not send them on
     */
    ListChangeService(
            SessionJournal journal, BooleanSupplier leads, List<SessionListener> listeners) {
        this.journal = journal;
        this.leads = leads;
        this.listeners = new SessionListeners(listeners);
    }

    @Override
    public String kind() {
        return KIND;
    }

    static ObjectNode request(Set<ListChanges.Change> changes) {
        ObjectNode content = Json.MAPPER.createObjectNode();
        ArrayNode items = content.putArray("changes");
        for (ListChanges.Change change : changes) {
            items.addObject()
                    .put("namespace", change.server().namespace())
                    .put("name", change.server().name())
                    .put("method", change.list().notification());
        }
        return content;
    }

    @Override
    public ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification) {
        for (JsonNode change : request.path("changes")) {
            ResourceKey server =
                    new ResourceKey(
                            change.path("namespace").asString(), change.path("name").asString());
            ServerList.ofNotification(change.path("method").asString(""))
                    .ifPresent(list -> receive(server, list));
        }
        return Json.MAPPER.createObjectNode();
    }

    private void receive(ResourceKey server, ServerList list) {
        if (list != ServerList.TOOLS) {
            listeners.notified(server, list.notification(), null);
        }
        if (leads.getAsBoolean()) {
            journal.toolsChangedElsewhere(server);
        }
    }
}
