package dev.orloj.api.v1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.GoDuration;
import dev.orloj.api.MicroTime;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.KindDescriptor;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.introspect.BeanPropertyDefinition;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A kind is a record and a schema: neither may know a field that the other does not. A component
 * that is JSON has every field that its schema has.
 */
class KindSchemaTest {

    /** Known to the schema alone, since they never get as far as the record. */
    private static final Set<String> WRITTEN_ONLY =
            Set.of("spec.stringData", "stringData", "metadata.selfLink");

    private static final Map<Class<?>, String> FORMATS =
            Map.of(
                    int.class, "int32",
                    Integer.class, "int32",
                    long.class, "int64",
                    Long.class, "int64",
                    Instant.class, "date-time",
                    MicroTime.class, "date-time",
                    GoDuration.class, "duration",
                    ByteSize.class, "size",
                    CpuAmount.class, "cpus");

    @ParameterizedTest
    @MethodSource("descriptors")
    void recordAndSchemaHaveTheSameFields(KindDescriptor<?> descriptor) {
        List<String> differences = new ArrayList<>();
        JavaType type = Json.MAPPER.constructType(descriptor.kind().type());

        compare("", type, descriptor.schema().root(), differences);

        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("descriptors")
    void everyFieldIsOfAKnownType(KindDescriptor<?> descriptor) {
        assertThat(descriptor.schema().root().findValues("type"))
                .filteredOn(JsonNode::isString)
                .allSatisfy(
                        type ->
                                assertThat(type.asString())
                                        .isIn("object", "array", "string", "integer", "boolean"));
    }

    /** H-15: what the schema lets pass, the record takes. */
    @ParameterizedTest
    @MethodSource("descriptors")
    void schemaIsAsNarrowAsTheRecord(KindDescriptor<?> descriptor) {
        List<String> wider = new ArrayList<>();
        JavaType type = Json.MAPPER.constructType(descriptor.kind().type());

        narrow("", type, descriptor.schema().root(), wider);

        assertThat(wider).isEmpty();
    }

    private static void narrow(String path, JavaType type, JsonNode schema, List<String> wider) {
        String format = FORMATS.get(type.getRawClass());
        if (format != null && !schema.path("format").asString("").equals(format)) {
            wider.add("%s has no format %s".formatted(path, format));
        }
        if (type.isEnumType()) {
            List<String> values =
                    Stream.of(type.getRawClass().getEnumConstants())
                            .map(value -> Json.MAPPER.valueToTree(value).asString())
                            .toList();
            List<String> known = schema.path("enum").valueStream().map(JsonNode::asString).toList();
            if (!new HashSet<>(values).equals(new HashSet<>(known))) {
                wider.add("%s has enum %s, not %s".formatted(path, known, values));
            }
        } else if (type.isCollectionLikeType()) {
            narrow(path + "[]", type.getContentType(), schema.path("items"), wider);
        } else if (type.isMapLikeType()) {
            JsonNode values = schema.path("additionalProperties");
            if (values.isObject()) {
                narrow(path + "{}", type.getContentType(), values, wider);
            }
        } else if (type.getRawClass().isRecord() && schema.has("properties")) {
            for (BeanPropertyDefinition property : propertiesOf(type)) {
                narrow(
                        path + "." + property.getName(),
                        property.getPrimaryType(),
                        schema.path("properties").path(property.getName()),
                        wider);
            }
        }
    }

    static Stream<KindDescriptor<?>> descriptors() {
        return Kinds.SCHEME.descriptors().stream();
    }

    private static void compare(
            String path, JavaType type, JsonNode schema, List<String> differences) {
        if (type.isCollectionLikeType()) {
            compare(path, type.getContentType(), schema.path("items"), differences);
        } else if (schema.has("properties") && type.getRawClass().isRecord()) {
            compareObject(path, type, schema.path("properties"), differences);
        } else if (schema.has("properties") && !type.isTypeOrSubTypeOf(JsonNode.class)) {
            differences.add(path + " has properties but " + type + " is no record");
        }
    }

    private static void compareObject(
            String path, JavaType type, JsonNode properties, List<String> differences) {
        Set<String> components = new HashSet<>();
        for (BeanPropertyDefinition property : propertiesOf(type)) {
            String child = path.isEmpty() ? property.getName() : path + "." + property.getName();
            components.add(property.getName());
            if (properties.has(property.getName())) {
                compare(
                        child,
                        property.getPrimaryType(),
                        properties.path(property.getName()),
                        differences);
            } else {
                differences.add(child + " is not in the schema");
            }
        }
        properties
                .propertyNames()
                .forEach(
                        name -> {
                            String child = path.isEmpty() ? name : path + "." + name;
                            if (!components.contains(name) && !WRITTEN_ONLY.contains(child)) {
                                differences.add(child + " is not in " + type);
                            }
                        });
    }

    /** Those of groups, which JSON does not show, in place of the groups. */
    private static List<BeanPropertyDefinition> propertiesOf(JavaType type) {
        var context = Json.MAPPER._serializationContext();
        List<BeanPropertyDefinition> properties = new ArrayList<>();
        for (var property : context.introspectBeanDescription(type).findProperties()) {
            if (property.getAccessor() == null) {
                continue; // the parameter of a group
            }
            if (property.getAccessor().hasAnnotation(JsonUnwrapped.class)) {
                properties.addAll(propertiesOf(property.getPrimaryType()));
            } else {
                properties.add(property);
            }
        }
        return properties;
    }
}
