package dev.orloj.api.codec;

import dev.orloj.api.Advice;
import dev.orloj.api.Frozen;
import dev.orloj.api.Kind;
import dev.orloj.api.Resource;
import dev.orloj.api.validation.Advisor;
import dev.orloj.api.validation.UpdateValidator;
import dev.orloj.api.validation.Validator;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Describes a kind for the generic handler. Two kinds differ only in their descriptors. A new kind
 * needs a record, a schema, and a descriptor.
 *
 * @param shortNames other names that command lines accept
 * @param categories groups of kinds that are listed together
 * @param schema structural schema: known fields, required fields, and defaults
 * @param nameRule the rule for {@code metadata.name}
 * @param hasStatus whether the status is a subresource
 * @param heldByContent whether {@code spec.finalizers} also keep a resource until its content is
 *     gone; they change only through the finalize subresource, and the phase in the status shows
 *     the deletion
 * @param columns of the printed table, after the name and before the age
 * @param selectableFields names in a field selector, in addition to metadata.name and
 *     metadata.namespace, each with its JSON pointer in the row
 * @param normalizer rewrites a received document before any other processing
 * @param validator rules beyond the schema
 * @param updateValidator rules for changes
 * @param advisor gives advice about valid resources
 * @param shard the revision counter of its writes; resourceVersions are comparable within one shard
 * @param sensitiveFields JSON pointers of maps whose values are encrypted at rest and never logged
 * @param wholeTable whether the columns are the complete table, which then has no name and no age
 * @param overwritable whether an update may omit the resourceVersion
 * @param creatableByUpdate whether an update without a resourceVersion creates a missing resource
 * @param strategicMerge whether the patches of typed Kubernetes clients are supported
 * @param view present when resources of this kind are rows of another one in a different shape
 * @param readOnly whether clients may only read; only orlojd writes resources of the kind
 * @param scale present when the kind has the scale subresource
 * @param actions names of subresources that accept POST and respond with the resource
 * @param finalizers that a new resource has from its creation, for the controller of the kind
 * @param firstPhase the phase in the status of a new resource; empty for no status
 */
public record KindDescriptor<R extends Resource>(
        Kind<R> kind,
        List<String> shortNames,
        List<String> categories,
        Schema schema,
        NameRule nameRule,
        boolean hasStatus,
        boolean heldByContent,
        List<Column> columns,
        Map<String, String> selectableFields,
        Consumer<ObjectNode> normalizer,
        Validator<R> validator,
        UpdateValidator<R> updateValidator,
        Optional<Advisor<R>> advisor,
        Shard shard,
        List<String> sensitiveFields,
        boolean wholeTable,
        boolean overwritable,
        boolean creatableByUpdate,
        boolean strategicMerge,
        Optional<View> view,
        boolean readOnly,
        Optional<Scale> scale,
        List<String> actions,
        List<String> finalizers,
        String firstPhase) {

    /**
     * The revision counters. Events and Leases have their own, so that neither a burst of Events
     * nor the heartbeats of Leases delay other writes.
     */
    public enum Shard {
        MAIN,
        EVENTS,
        LEASES
    }

    /** Returns the kind whose shape the rows have: this one, unless it is a view. */
    public KindDescriptor<?> stored() {
        return view.isPresent() ? view.get().stored() : this;
    }

    /** Converts a document of this kind to the shape of its row. */
    public ObjectNode toStored(ObjectNode document) {
        return view.isPresent() ? view.get().toStored().apply(document) : document;
    }

    /** Converts the document of a row to the shape of this kind. */
    public ObjectNode fromStored(ObjectNode row) {
        return view.isPresent() ? view.get().fromStored().apply(row) : row;
    }

    /** Returns the advice about a valid document of this kind. */
    public List<Advice> advice(ObjectNode document) {
        return advisor.map(a -> a.advise(ResourceCodec.fromDocument(kind, document)))
                .orElseGet(List::of);
    }

    /** Returns the advice about a valid resource of this kind. */
    public List<Advice> advice(R resource) {
        return advisor.map(a -> a.advise(resource)).orElseGet(List::of);
    }

    public static <R extends Resource> Builder<R> of(Kind<R> kind, Schema schema) {
        return new Builder<>(kind, schema);
    }

    /** Sets what differs from the defaults. */
    public static final class Builder<R extends Resource> {

        private final Kind<R> kind;
        private final Schema schema;
        private final List<String> shortNames = new ArrayList<>();
        private final List<String> categories = new ArrayList<>();
        private final List<Column> columns = new ArrayList<>();
        private final Map<String, String> selectableFields = new LinkedHashMap<>();
        private final List<String> sensitiveFields = new ArrayList<>();
        private NameRule nameRule = NameRule.SUBDOMAIN;
        private boolean hasStatus;
        private boolean heldByContent;
        private Consumer<ObjectNode> normalizer = document -> {};
        private Validator<R> validator = resource -> List.of();
        private UpdateValidator<R> updateValidator = (before, after) -> List.of();
        private Optional<Advisor<R>> advisor = Optional.empty();
        private Shard shard = Shard.MAIN;
        private boolean wholeTable;
        private boolean overwritable;
        private boolean creatableByUpdate;
        private boolean strategicMerge;
        private Optional<View> view = Optional.empty();
        private boolean readOnly;
        private Optional<Scale> scale = Optional.empty();
        private final List<String> actions = new ArrayList<>();
        private final List<String> finalizers = new ArrayList<>();
        private String firstPhase = "";

        private Builder(Kind<R> kind, Schema schema) {
            this.kind = kind;
            this.schema = schema;
        }

        public Builder<R> shortNames(String... names) {
            shortNames.addAll(List.of(names));
            return this;
        }

        public Builder<R> categories(String... names) {
            categories.addAll(List.of(names));
            return this;
        }

        public Builder<R> nameRule(NameRule rule) {
            nameRule = rule;
            return this;
        }

        public Builder<R> withStatus() {
            hasStatus = true;
            return this;
        }

        public Builder<R> heldByContent() {
            heldByContent = true;
            return this;
        }

        public Builder<R> columns(Column... more) {
            columns.addAll(List.of(more));
            return this;
        }

        public Builder<R> selectable(String field, String pointer) {
            selectableFields.put(field, pointer);
            return this;
        }

        public Builder<R> normalizer(Consumer<ObjectNode> rewrite) {
            normalizer = rewrite;
            return this;
        }

        public Builder<R> validator(Validator<R> rules) {
            validator = rules;
            return this;
        }

        public Builder<R> updateValidator(UpdateValidator<R> rules) {
            updateValidator = rules;
            return this;
        }

        public Builder<R> advisor(Advisor<R> words) {
            advisor = Optional.of(words);
            return this;
        }

        public Builder<R> shard(Shard counter) {
            shard = counter;
            return this;
        }

        public Builder<R> sensitive(String pointer) {
            sensitiveFields.add(pointer);
            return this;
        }

        public Builder<R> wholeTable() {
            wholeTable = true;
            return this;
        }

        public Builder<R> overwritable() {
            overwritable = true;
            return this;
        }

        public Builder<R> creatableByUpdate() {
            creatableByUpdate = true;
            return this;
        }

        public Builder<R> strategicMerge() {
            strategicMerge = true;
            return this;
        }

        /**
         * Makes the kind a view. The pointers of selectable fields are those of the stored kind.
         */
        public Builder<R> view(View ofAnother) {
            view = Optional.of(ofAnother);
            return shard(ofAnother.stored().shard());
        }

        public Builder<R> readOnly() {
            readOnly = true;
            return this;
        }

        public Builder<R> scale(Scale numbers) {
            scale = Optional.of(numbers);
            return this;
        }

        /** Adds a subresource that accepts POST and responds with the resource. */
        public Builder<R> action(String name) {
            actions.add(name);
            return this;
        }

        /** Gives each new resource a finalizer, which the controller of the kind removes. */
        public Builder<R> finalizer(String name) {
            finalizers.add(name);
            return this;
        }

        /** Sets the phase that the status of a new resource has before anything is observed. */
        public Builder<R> firstPhase(String phase) {
            firstPhase = phase;
            return this;
        }

        public KindDescriptor<R> build() {
            return new KindDescriptor<>(
                    kind,
                    List.copyOf(shortNames),
                    List.copyOf(categories),
                    schema,
                    nameRule,
                    hasStatus,
                    heldByContent,
                    List.copyOf(columns),
                    Frozen.map(selectableFields),
                    normalizer,
                    validator,
                    updateValidator,
                    advisor,
                    shard,
                    List.copyOf(sensitiveFields),
                    wholeTable,
                    overwritable,
                    creatableByUpdate,
                    strategicMerge,
                    view,
                    readOnly,
                    scale,
                    List.copyOf(actions),
                    List.copyOf(finalizers),
                    firstPhase);
        }
    }
}
