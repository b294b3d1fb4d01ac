package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.ClientProgram;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The servers of all files, each under a name of its own.
 *
 * @param problems one line for each entry that cannot be imported
 */
public record ImportPlan(List<ImportedServer> servers, List<String> problems) {

    private static final int MAX_SAME_NAME = 100;

    /**
     * Gives every server a name. A server that is the same in several files is imported once; one
     * that differs gets the name of its client, or a number, at the end.
     */
    public static ImportPlan of(List<FoundServer> found, SecretPolicy policy) {
        Map<String, ImportedServer> byName = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (FoundServer server : found) {
            try {
                add(server, policy, byName);
            } catch (EntryException e) {
                problems.add(server.where() + ": " + e.getMessage());
            }
        }
        return new ImportPlan(List.copyOf(byName.values()), problems);
    }

    private static void add(
            FoundServer server, SecretPolicy policy, Map<String, ImportedServer> byName) {
        for (String name : candidates(server)) {
            ServerManifests manifests = ServerManifests.of(server.entry(), name, policy);
            ImportedServer same = byName.get(name);
            if (same == null) {
                byName.put(name, new ImportedServer(List.of(server), manifests));
                return;
            }
            if (same.manifests().equals(manifests)) {
                List<FoundServer> all = new ArrayList<>(same.found());
                all.add(server);
                byName.put(name, new ImportedServer(List.copyOf(all), manifests));
                return;
            }
        }
        throw new EntryException(
                "name \"%s\": more than %d servers have it; rename some"
                        .formatted(server.entry().name(), MAX_SAME_NAME));
    }

    private static List<String> candidates(FoundServer server) {
        String base = ServerNames.of(server.entry().name());
        Optional<String> client = server.file().client().map(ClientProgram::label);
        return Stream.of(
                        Stream.of(base),
                        client.stream().map(label -> ServerNames.with(base, label)),
                        IntStream.rangeClosed(2, MAX_SAME_NAME)
                                .mapToObj(n -> ServerNames.with(base, Integer.toString(n))))
                .flatMap(names -> names)
                .toList();
    }
}
