package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientFileException;
import dev.orloj.cli.clientfile.Section;
import dev.orloj.cli.clientfile.Sections;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The servers of one file.
 *
 * @param selves entries that are Orloj itself
 * @param problems one line for each entry that is left out because it is wrong
 * @param passed one line for each entry that is left out because it is no server
 */
public record FileServers(
        List<FoundServer> servers,
        List<Section.Entry> selves,
        List<String> problems,
        List<String> passed) {

    /** Returns whether a document has the shape of a file of a client. */
    public static boolean isClientFile(ObjectNode root) {
        if (root.has("apiVersion") || root.has("kind")) {
            return false;
        }
        return !Sections.of(root, Optional.empty()).isEmpty()
                || Sections.isServer(root)
                || McpBundle.isManifest(root)
                || RegistryServer.isServer(root);
    }

    /**
     * Reads all entries of a file.
     *
     * @param project the project whose part of a file for all projects is read
     * @throws ClientFileException when the file lists no servers
     */
    public static FileServers of(
            ClientFile file,
            Surroundings surroundings,
            SelfEntries self,
            Optional<String> project) {
        FileServers found =
                new FileServers(
                        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        ObjectNode root = file.root();
        Surroundings here =
                surroundings.in(
                        surroundings.folder(),
                        root.has("inputs") ? root.path("inputs") : root.at("/mcp/inputs"));
        if (McpBundle.isManifest(root)) {
            found.single(file, () -> McpBundle.read(root, here, file.path()));
        } else if (RegistryServer.isServer(root)) {
            found.single(file, () -> RegistryServer.read(root, RegistryServer.Choices.in(here)));
        } else {
            found.sections(file, here, self, project);
        }
        return found;
    }

    /** Reads one server. */
    private interface Reading {
        ConfiguredServer read();
    }

    private void single(ClientFile file, Reading reading) {
        try {
            servers.add(new FoundServer(file, Optional.empty(), reading.read()));
        } catch (EntryException e) {
            problems.add("%s: %s".formatted(file.name(), e.getMessage()));
        }
    }

    private void sections(
            ClientFile file,
            Surroundings surroundings,
            SelfEntries self,
            Optional<String> project) {
        List<Section> sections = Sections.of(file.root(), project);
        for (Section section : sections) {
            section.entries().forEach(entry -> entry(file, entry, surroundings, self));
        }
        if (sections.isEmpty() && Sections.isServer(file.root())) {
            single(file, () -> bare(file, surroundings));
        } else if (sections.isEmpty()) {
            throw new ClientFileException(
                    "%s lists no servers: it has none of mcpServers, servers, context_servers, mcp_servers, mcp and extensions"
                            .formatted(file.name()));
        }
    }

    private static ConfiguredServer bare(ClientFile file, Surroundings surroundings) {
        String name = file.root().path("name").asString("");
        if (name.isEmpty()) {
            throw new EntryException("name is missing; add one beside the command or the url");
        }
        return new EntryReader(file.notation(), surroundings)
                .read(name, file.root())
                .orElseThrow(() -> new EntryException("it is no server that Orloj runs"));
    }

    private void entry(
            ClientFile file, Section.Entry entry, Surroundings surroundings, SelfEntries self) {
        String where = "%s, %s".formatted(file.name(), entry.where());
        try {
            if (entry.name().isBlank()) {
                throw new EntryException("name is missing; give the entry one");
            }
            Optional<ConfiguredServer> read =
                    new EntryReader(file.notation(), surroundings).read(entry.name(), entry.node());
            if (read.isEmpty()) {
                passed.add(where + ": it is a part of the client, or empty");
            } else if (self.contains(read.get().launch())) {
                selves.add(entry);
                passed.add(where + ": it is Orloj itself");
            } else {
                ServerNames.of(entry.name());
                servers.add(new FoundServer(file, Optional.of(entry), read.get()));
            }
        } catch (EntryException e) {
            problems.add(where + ": " + e.getMessage());
        }
    }
}
