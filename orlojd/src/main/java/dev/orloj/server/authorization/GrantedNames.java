package dev.orloj.server.authorization;

import dev.orloj.api.Frozen;

import java.util.Set;

/**
 * The resources of one kind and namespace on which a user has a verb.
 *
 * @param all whether the user has it on all of them, also on those to come
 * @param names of single ones; they need not exist
 */
public record GrantedNames(boolean all, Set<String> names) {

    public static final GrantedNames ALL = new GrantedNames(true, Set.of());
    public static final GrantedNames NONE = new GrantedNames(false, Set.of());

    public GrantedNames {
        names = Frozen.set(names);
    }

    public boolean contains(String name) {
        return all || names.contains(name);
    }

    public boolean isEmpty() {
        return !all && names.isEmpty();
    }
}
