package dev.orloj.server.apply;

import java.util.Comparator;

/**
 * Who owns fields, and how it came by them. One client may be several: by applying and by updating,
 * through the resource and through a subresource of it.
 *
 * @param apiVersion of the view that the fields are those of
 * @param subresource empty for the resource itself
 */
public record Manager(String name, Operation operation, String apiVersion, String subresource)
        implements Comparable<Manager> {

    private static final Comparator<Manager> ORDER =
            Comparator.comparing(Manager::name)
                    .thenComparing(Manager::operation)
                    .thenComparing(Manager::apiVersion)
                    .thenComparing(Manager::subresource);

    /** How fields are claimed. */
    public enum Operation {
        /** By a list of all fields that the manager cares for. */
        APPLY("Apply"),
        /** By changing them. */
        UPDATE("Update");

        private final String wireName;

        Operation(String wireName) {
            this.wireName = wireName;
        }

        String wireName() {
            return wireName;
        }
    }

    public static Manager applying(String name, String apiVersion, String subresource) {
        return new Manager(name, Operation.APPLY, apiVersion, subresource);
    }

    public static Manager updating(String name, String apiVersion, String subresource) {
        return new Manager(name, Operation.UPDATE, apiVersion, subresource);
    }

    @Override
    public int compareTo(Manager other) {
        return ORDER.compare(this, other);
    }

    /**
     * Whether the other is the same owner. Who applies is the same in every shape: what it applies
     * is all that it wants, whatever shape it was in before.
     */
    boolean isSame(Manager other) {
        return name.equals(other.name)
                && operation == other.operation
                && subresource.equals(other.subresource)
                && (operation == Operation.APPLY || apiVersion.equals(other.apiVersion));
    }

    boolean isUpdating() {
        return operation == Operation.UPDATE;
    }
}
