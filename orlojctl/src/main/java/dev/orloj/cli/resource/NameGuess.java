package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.Status;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.v1.Kinds;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.Suggestions;
import dev.orloj.cli.http.ConnectionException;
import dev.orloj.cli.http.ResourceSelection;

import tools.jackson.core.JacksonException;

import java.util.List;
import java.util.Optional;

/** Suggests the resource that was meant by the name of one that does not exist. */
public final class NameGuess {

    private static final int LONGEST_NAME = 253;

    private NameGuess() {}

    /** Returns the message of the server, with a suggestion when there is a likely one. */
    public static String explain(Context context, ApiException e) {
        return e.getMessage() + guess(context, e).map(hint -> "; " + hint).orElse("");
    }

    private static Optional<String> guess(Context context, ApiException e) {
        Status.Details details = e.details().orElse(null);
        if (e.reason() != ErrorReason.NOT_FOUND
                || details == null
                || details.name().isEmpty()
                || details.name().length() > LONGEST_NAME) {
            return Optional.empty();
        }
        try {
            return Kinds.SCHEME.descriptors().stream()
                    .map(KindDescriptor::kind)
                    .filter(kind -> kind.group().equals(details.group()))
                    .filter(kind -> kind.plural().equals(details.kind()))
                    .findFirst()
                    .flatMap(kind -> guess(context, kind, details.name()));
        } catch (ApiException | ConnectionException | JacksonException ignored) {
            return Optional.empty(); // the name is reported without a suggestion
        }
    }

    private static Optional<String> guess(Context context, Kind<?> kind, String name) {
        String namespace = kind.namespaced() ? context.namespace() : "";
        List<String> names = ResourceNames.of(context, kind, namespace);
        Optional<String> near = Suggestions.closest(name, names);
        if (near.isPresent() || !kind.namespaced()) {
            return near.map("did you mean \"%s\"?"::formatted);
        }
        ResourceSelection elsewhere = new ResourceSelection(kind, "", "", "metadata.name=" + name);
        return ResourceNames.metadata(context, elsewhere)
                .map(metadata -> metadata.path("namespace").asString(""))
                .filter(other -> !other.isEmpty())
                .findFirst()
                .map("there is one in namespace \"%s\": add -n %<s"::formatted);
    }
}
