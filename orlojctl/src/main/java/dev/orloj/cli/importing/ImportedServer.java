package dev.orloj.cli.importing;

import java.util.List;

/**
 * A server to import.
 *
 * @param found where it is; several places when several clients have the same server
 */
public record ImportedServer(List<FoundServer> found, ServerManifests manifests) {

    public FoundServer first() {
        return found.getFirst();
    }
}
