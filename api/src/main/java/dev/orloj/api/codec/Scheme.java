package dev.orloj.api.codec;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The registry of kinds. Immutable. */
public final class Scheme {

    private final List<KindDescriptor<?>> descriptors;

    public Scheme(List<KindDescriptor<?>> descriptors) {
        this.descriptors = List.copyOf(descriptors);
    }

    public List<KindDescriptor<?>> descriptors() {
        return descriptors;
    }

    /** The kinds that have rows of their own: all but the views. */
    public List<KindDescriptor<?>> storedKinds() {
        return descriptors.stream().filter(d -> d.view().isEmpty()).toList();
    }

    /** The descriptor of a kind that is registered. */
    @SuppressWarnings("unchecked") // a descriptor carries the type of its kind
    public <R extends Resource> KindDescriptor<R> descriptor(Kind<R> kind) {
        return (KindDescriptor<R>)
                descriptors.stream()
                        .filter(d -> d.kind().equals(kind))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalArgumentException(kind + " is not registered"));
    }

    /** By what a manifest says of itself. */
    public Optional<KindDescriptor<?>> findKind(String apiVersion, String kindName) {
        return descriptors.stream()
                .filter(d -> d.kind().apiVersion().equals(apiVersion))
                .filter(d -> d.kind().name().equals(kindName))
                .findFirst();
    }

    /** By the parts of a path. */
    public Optional<KindDescriptor<?>> findResource(String group, String version, String plural) {
        return descriptors.stream()
                .filter(d -> d.kind().group().equals(group))
                .filter(d -> d.kind().version().equals(version))
                .filter(d -> d.kind().plural().equals(plural))
                .findFirst();
    }

    /**
     * Finds a kind by any of its names: plural, singular, short name, {@code mcp-servers}, {@code
     * secrets.orloj.dev}; in any case. Of the kinds that show the same rows, a name that they share
     * means the one whose shape the rows have.
     */
    public Optional<KindDescriptor<?>> findName(String name) {
        String wanted = name.toLowerCase(Locale.ROOT).replace("-", "");
        return descriptors.stream()
                .filter(d -> isNamed(d, wanted))
                .min(Comparator.comparing(d -> d.view().isPresent()));
    }

    private static boolean isNamed(KindDescriptor<?> descriptor, String wanted) {
        Kind<?> kind = descriptor.kind();
        return wanted.equals(kind.plural())
                || wanted.equals(kind.singular())
                || wanted.equals(kind.groupResource())
                || wanted.equals(kind.singular() + "." + kind.group())
                || descriptor.shortNames().contains(wanted);
    }
}
