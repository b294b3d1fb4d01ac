package dev.orloj.server.apply;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A set of paths, kept as a tree. Membership of a path is independent of the paths above and below
 * it: the set may hold {@code .spec} with or without {@code .spec.image}. Immutable.
 */
final class FieldSet {

    static final FieldSet EMPTY = new FieldSet(Map.of());

    /**
     * Holds the members at and below one path element.
     *
     * @param member whether the path that ends here is in the set
     */
    private record Node(boolean member, FieldSet below) {

        private static final Node NONE = new Node(false, EMPTY);

        boolean isEmpty() {
            return !member && below.isEmpty();
        }
    }

    private final Map<PathElement, Node> nodes;

    private FieldSet(Map<PathElement, Node> nodes) {
        this.nodes = nodes;
    }

    static FieldSet of(List<List<PathElement>> paths) {
        Builder builder = new Builder();
        paths.forEach(builder::add);
        return builder.build();
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Returns the first elements of all paths in this set, in order. */
    List<PathElement> elements() {
        List<PathElement> elements = new ArrayList<>(nodes.keySet());
        elements.sort(PathElement.ORDER);
        return elements;
    }

    /** Returns whether the set contains the path that consists of this one element. */
    boolean has(PathElement element) {
        return node(element).member();
    }

    /** Returns the paths of the set below an element. */
    FieldSet below(PathElement element) {
        return node(element).below();
    }

    private Node node(PathElement element) {
        Node found = nodes.get(element);
        return found == null ? Node.NONE : found;
    }

    FieldSet union(FieldSet other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        Map<PathElement, Node> all = new HashMap<>(nodes);
        other.nodes.forEach(
                (element, node) ->
                        all.merge(
                                element,
                                node,
                                (a, b) ->
                                        new Node(
                                                a.member() || b.member(),
                                                a.below().union(b.below()))));
        return new FieldSet(all);
    }

    static FieldSet union(List<FieldSet> sets) {
        Builder builder = new Builder();
        sets.forEach(builder::addAll);
        return builder.build();
    }

    FieldSet minus(FieldSet other) {
        if (other.isEmpty()) {
            return this;
        }
        return mapped(
                (element, node) -> {
                    Node gone = other.nodes.get(element);
                    return gone == null
                            ? node
                            : new Node(
                                    node.member() && !gone.member(),
                                    node.below().minus(gone.below()));
                });
    }

    FieldSet intersection(FieldSet other) {
        if (other.isEmpty()) {
            return EMPTY;
        }
        return mapped(
                (element, node) -> {
                    Node common = other.node(element);
                    return new Node(
                            node.member() && common.member(),
                            node.below().intersection(common.below()));
                });
    }

    private FieldSet mapped(BiFunction<PathElement, Node, Node> change) {
        Map<PathElement, Node> left = HashMap.newHashMap(nodes.size());
        nodes.forEach(
                (element, node) -> {
                    Node outcome = change.apply(element, node);
                    if (!outcome.isEmpty()) {
                        left.put(element, outcome);
                    }
                });
        return left.isEmpty() ? EMPTY : new FieldSet(left);
    }

    /**
     * Adds the declared fields that enclose a member of the set: a manager that owns a part of a
     * declared field owns the field too. This does not hold for entries of a map or items of a
     * list.
     */
    FieldSet withDeclaredAncestors(FieldType type) {
        Map<PathElement, Node> all = new HashMap<>();
        nodes.forEach(
                (element, node) -> {
                    boolean encloses =
                            !node.below().isEmpty()
                                    && element instanceof PathElement.Field(String name)
                                    && type.declares(name);
                    FieldSet below = node.below().withDeclaredAncestors(type.below(element));
                    all.put(element, new Node(node.member() || encloses, below));
                });
        return all.isEmpty() ? EMPTY : new FieldSet(all);
    }

    /** Returns all paths, in order. */
    List<List<PathElement>> paths() {
        List<List<PathElement>> found = new ArrayList<>();
        collect(new ArrayList<>(), found);
        return found;
    }

    private void collect(List<PathElement> prefix, List<List<PathElement>> found) {
        for (PathElement element : elements()) {
            prefix.add(element);
            if (has(element)) {
                found.add(List.copyOf(prefix));
            }
            below(element).collect(prefix, found);
            prefix.removeLast();
        }
    }

    /** Formats a path for messages: {@code .spec.env[name="LOG"].value}. */
    static String text(List<PathElement> path) {
        StringBuilder text = new StringBuilder();
        path.forEach(text::append);
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldSet set && nodes.equals(set.nodes);
    }

    @Override
    public int hashCode() {
        return nodes.hashCode();
    }

    @Override
    public String toString() {
        return paths().stream().map(FieldSet::text).toList().toString();
    }

    /** Collects paths. For one thread. */
    static final class Builder {

        private final Map<PathElement, Builder> children = new HashMap<>();
        private boolean member;

        /** Adds a path. The set never contains the empty path. */
        void add(List<PathElement> path) {
            Builder at = this;
            for (PathElement element : path) {
                at = at.children.computeIfAbsent(element, _ -> new Builder());
            }
            at.member = true;
        }

        /** Copies what a set has at and below one path to another path. */
        void addPart(FieldSet set, List<PathElement> from, List<PathElement> to) {
            FieldSet enclosing = set;
            for (PathElement element : from.subList(0, from.size() - 1)) {
                enclosing = enclosing.below(element);
            }
            Node node = enclosing.node(from.getLast());
            if (!node.isEmpty()) {
                Builder at = this;
                for (PathElement element : to) {
                    at = at.children.computeIfAbsent(element, _ -> new Builder());
                }
                at.member |= node.member();
                at.addAll(node.below());
            }
        }

        private void addAll(FieldSet set) {
            set.nodes.forEach(
                    (element, node) -> {
                        Builder child = children.computeIfAbsent(element, _ -> new Builder());
                        child.member |= node.member();
                        child.addAll(node.below());
                    });
        }

        FieldSet build() {
            if (children.isEmpty()) {
                return EMPTY;
            }
            Map<PathElement, Node> nodes = HashMap.newHashMap(children.size());
            children.forEach(
                    (element, child) -> nodes.put(element, new Node(child.member, child.build())));
            return new FieldSet(nodes);
        }
    }
}
