package dev.orloj.api.rbac;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import dev.orloj.api.Kind;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.Resource;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.NameRule;
import dev.orloj.api.codec.Schema;

import java.util.List;

/** Rules for the resources of one namespace. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "rules"})
public record Role(String apiVersion, String kind, ObjectMeta metadata, List<PolicyRule> rules)
        implements Resource {

    public static final String GROUP = "rbac.authorization.k8s.io";

    public static final Kind<Role> KIND =
            new Kind<>(GROUP, "v1", "Role", "roles", true, Role.class);

    public static final KindDescriptor<Role> DESCRIPTOR =
            KindDescriptor.of(KIND, Schema.fromResource(Role.class, "role.schema.json"))
                    .nameRule(NameRule.PATH_SEGMENT)
                    .validator(role -> PolicyRules.validate(role.rules(), true))
                    .overwritable()
                    .strategicMerge()
                    .columns(RbacColumns.role())
                    .wholeTable()
                    .build();

    public Role {
        rules = rules == null ? List.of() : List.copyOf(rules);
    }

    @Override
    public Role withMetadata(ObjectMeta replacement) {
        return new Role(apiVersion, kind, replacement, rules);
    }
}
