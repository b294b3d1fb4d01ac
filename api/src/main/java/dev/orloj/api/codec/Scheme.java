package dev.orloj.api.codec;

import dev.orloj.api.Kind;
import dev.orloj.api.Resource;

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

    /** Returns the kinds that have their own rows: all but the views. */
    public List<KindDescriptor<?>> storedKinds() {
        return descriptors.stream().filter(d -> d.view().isEmpty()).toList();
    }

    /** Returns the descriptor of a registered kind. */
    @SuppressWarnings("unchecked") // the type of a descriptor is that of its kind
    public <R extends Resource> KindDescriptor<R> descriptor(Kind<R> kind) {
        return (KindDescriptor<R>)
                descriptors.stream()
                        .filter(d -> d.kind().equals(kind))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalArgumentException(kind + " is not registered"));
    }

    /** Finds a kind by the apiVersion and kind of a manifest. */
    public Optional<KindDescriptor<?>> findKind(String apiVersion, String kindName) {
        return descriptors.stream()
                .filter(d -> d.kind().apiVersion().equals(apiVersion))
                .filter(d -> d.kind().name().equals(kindName))
                .findFirst();
    }

    /** Finds a kind by the parts of a path. */
    public Optional<KindDescriptor<?>> findResource(String group, String version, String plural) {
        return descriptors.stream()
                .filter(d -> d.kind().group().equals(group))
                .filter(d -> d.kind().version().equals(version))
                .filter(d -> d.kind().plural().equals(plural))
                .findFirst();
    }

    /**
     * Finds a kind by any of its names: plural, singular, short name, {@code mcp-servers}, {@code
     * secrets.orloj.dev}. Ignores case. If several kinds show the same rows and share a name,
     * returns the kind whose shape the rows have.
     */
    public Optional<KindDescriptor<?>> findName(String name) {
        String wanted = name.toLowerCase(Locale.ROOT).replace("-", "");
        Optional<KindDescriptor<?>> view = Optional.empty();
        // Comparator.comparing makes a serializable lambda, which no ahead-of-time cache holds.
        for (KindDescriptor<?> descriptor : descriptors) {
            if (isNamed(descriptor, wanted)) {
                if (descriptor.view().isEmpty()) {
                    return Optional.of(descriptor);
                }
                view = view.isEmpty() ? Optional.of(descriptor) : view;
            }
        }
        return view;
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
