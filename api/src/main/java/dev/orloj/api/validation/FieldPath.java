package dev.orloj.api.validation;

/** Where in a document a value stands, written as {@code spec.env[0].name}. Immutable. */
public final class FieldPath {

    private static final FieldPath ROOT = new FieldPath("");

    private final String text;

    private FieldPath(String text) {
        this.text = text;
    }

    /** The document itself. */
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
        return new FieldPath(text.isEmpty() ? name : text + "." + name);
    }

    public FieldPath index(int position) {
        return new FieldPath(text + "[" + position + "]");
    }

    /** An entry of a map, whose key may hold dots: {@code metadata.labels[a.b/c]}. */
    public FieldPath key(String key) {
        return new FieldPath(text + "[" + key + "]");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldPath path && path.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
