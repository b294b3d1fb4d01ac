package dev.orloj.cli.clientfile;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A change of a section: some entries go, and one may take their place.
 *
 * @param path the section
 * @param isList whether the section is an array
 * @param removed the keys of the entries that go; in a list their positions
 * @param name of the new entry, which replaces one of that name
 * @param entry the new entry; empty for none
 */
public record Edit(
        List<String> path,
        boolean isList,
        Set<String> removed,
        String name,
        Optional<ObjectNode> entry) {}
