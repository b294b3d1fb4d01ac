package dev.orloj.server.apply;

import java.util.Comparator;

/**
 * Identifies an owner of fields. One client may be several managers: it may apply and update,
 * through the resource and through a subresource.
 *
 * @param apiVersion of the view whose fields the manager owns
 * @param subresource empty for the resource itself
 */
public record Manager(String name, Operation operation, String apiVersion, String subresource)
        implements Comparable<Manager> {

    private static final Comparator<Manager> ORDER =
            Comparator.comparing(Manager::name)
                    .thenComparing(Manager::operation)
                    .thenComparing(Manager::apiVersion)
                    .thenComparing(Manager::subresource);

    /** The operation by which a manager claims fields. */
    public enum Operation {
        /** The manager sends all fields that it owns. */
        APPLY("Apply"),
        /** The manager changes fields. */
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
     * Returns whether the other is the same owner. The API version does not distinguish managers
     * that apply: an applied configuration is complete, whatever version the manager applied
     * before.
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
