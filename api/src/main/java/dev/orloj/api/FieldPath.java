package dev.orloj.api;

import org.jspecify.annotations.Nullable;

/**
 * The path of a value in a document, written as {@code spec.env[0].name}. Immutable. Appending a
 * step takes constant time; the text is created on demand.
 */
public final class FieldPath {

    /** The most characters of one step. Longer texts of a client are cut. */
    private static final int MAX_STEP = 500;

    private static final FieldPath ROOT = new FieldPath(null, "");

    private final @Nullable FieldPath parent;
    private final String step;

    private FieldPath(@Nullable FieldPath parent, String step) {
        this.parent = parent;
        this.step = step;
    }

    /** Returns the path of the document itself. */
    public static FieldPath root() {
        return ROOT;
    }

    public static FieldPath of(String first, String... more) {
        FieldPath path = ROOT.child(first);
        for (String name : more) {
            path = path.child(name);
        }
        return path;
    }

    public FieldPath child(String name) {
        return new FieldPath(this, parent == null ? shortened(name) : "." + shortened(name));
    }

    public FieldPath index(int position) {
        return new FieldPath(this, "[" + position + "]");
    }

    /** Appends a map key, which may contain dots: {@code metadata.labels[a.b/c]}. */
    public FieldPath key(String key) {
        return new FieldPath(this, "[" + shortened(key) + "]");
    }

    private static String shortened(String name) {
        return name.length() <= MAX_STEP ? name : name.substring(0, MAX_STEP) + "...";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldPath path && path.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        write(text);
        return text.toString();
    }

    private void write(StringBuilder text) {
        if (parent != null) {
            parent.write(text);
        }
        text.append(step);
    }
}
