package dev.orloj.server.apply;

import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.Scheme;
import dev.orloj.api.codec.View;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts field sets between the shapes in which views show the rows of a kind. Each owner is
 * listed with the fields of the shape that it wrote; its ownership holds in all shapes. Immutable.
 */
public final class Shapes {

    /** The shapes of rows that have only one. */
    static final Shapes ONE = new Shapes(Map.of());

    /**
     * Maps a field of a shape to its path in the row.
     *
     * @param field at the top of the shape
     * @param place its path in the row
     */
    private record Move(List<PathElement> field, List<PathElement> place) {}

    private final Map<String, List<Move>> views;

    private Shapes(Map<String, List<Move>> views) {
        this.views = views;
    }

    /** Returns all shapes of the rows of a kind, which may be a view itself. */
    public static Shapes of(KindDescriptor<?> kind, Scheme scheme) {
        Map<String, List<Move>> views = new HashMap<>();
        for (KindDescriptor<?> descriptor : scheme.descriptors()) {
            if (descriptor.stored().kind().equals(kind.stored().kind())) {
                views.put(descriptor.kind().apiVersion(), moves(descriptor));
            }
        }
        return views.size() == 1 ? ONE : new Shapes(views);
    }

    private static List<Move> moves(KindDescriptor<?> kind) {
        List<Move> moves = new ArrayList<>();
        for (View view : kind.view().stream().toList()) {
            for (String field : kind.schema().root().path("properties").propertyNames()) {
                moves.add(new Move(path(List.of(field)), path(view.place().apply(field))));
            }
        }
        return moves;
    }

    private static List<PathElement> path(List<String> names) {
        return names.stream().<PathElement>map(PathElement.Field::new).toList();
    }

    /** Converts a field set from one shape to another; empty when a shape is unknown. */
    FieldSet convert(FieldSet fields, String from, String to) {
        if (from.equals(to)) {
            return fields;
        }
        List<Move> source = views.get(from);
        List<Move> target = views.get(to);
        if (source == null || target == null) {
            return FieldSet.EMPTY;
        }
        FieldSet row = fields;
        if (!source.isEmpty()) {
            FieldSet.Builder builder = new FieldSet.Builder();
            source.forEach(move -> builder.addPart(fields, move.field(), move.place()));
            row = builder.build();
        }
        if (target.isEmpty()) {
            return row;
        }
        FieldSet.Builder builder = new FieldSet.Builder();
        for (Move move : target) {
            builder.addPart(row, move.place(), move.field());
        }
        return builder.build();
    }
}
