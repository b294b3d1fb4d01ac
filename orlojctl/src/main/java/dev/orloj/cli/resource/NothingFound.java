package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.cli.command.Context;

/** Says that there is nothing, and whether that is because of the namespace. */
public final class NothingFound {

    private NothingFound() {}

    /**
     * Prints a line, which is that of kubectl where it has one, and a second one if the namespace
     * does not exist.
     *
     * @param inNamespace whether only the namespace of the command line was searched
     */
    public static void say(Context context, String line, boolean inNamespace) {
        context.err().println(line);
        if (inNamespace && !context.namespace().equals(Namespace.DEFAULT)) {
            explain(context, Namespace.KIND, new ResourceKey("", context.namespace()));
        }
    }

    /** Prints a line if there is no such resource. */
    static void explain(Context context, Kind<?> kind, ResourceKey key) {
        try {
            context.documents().get(kind, key);
        } catch (ApiException e) {
            // A user of a namespace need not be allowed to read it.
            if (e.reason() == ErrorReason.NOT_FOUND) {
                context.err().println("orlojctl: " + NameGuess.explain(context, e));
            }
        }
    }
}
