package dev.orloj.controllers.sandbox;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.v1.ContainerResources;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The upper limits for the resources in a manifest. Null means no limit. */
public record Ceilings(
        @Nullable ByteSize memory, @Nullable CpuAmount cpus, @Nullable Integer pidsLimit) {

    public static final Ceilings NONE = new Ceilings(null, null, null);

    private static final String REMEDY = "must be at most %s, the ceiling %s of orlojd";

    /** Returns these limits. Where one is not set, the capacity of the host applies. */
    public Ceilings within(HostCapacity host) {
        return new Ceilings(
                memory == null ? host.memory() : memory,
                cpus == null ? host.cpus() : cpus,
                pidsLimit);
    }

    /**
     * Returns an error for each request above a limit, with the field, the requested value, and the
     * limit.
     */
    List<FieldError> check(FieldPath path, ContainerResources requested) {
        List<FieldError> errors = new ArrayList<>();
        if (memory != null
                && requested.memory() != null
                && requested.memory().bytes() > memory.bytes()) {
            errors.add(
                    FieldError.invalid(
                            path.child("memory"),
                            requested.memory().text(),
                            REMEDY.formatted(memory.text(), "--tool-container-max-memory")));
        }
        if (cpus != null && requested.cpus() != null && requested.cpus().nanos() > cpus.nanos()) {
            errors.add(
                    FieldError.invalid(
                            path.child("cpus"),
                            requested.cpus().text(),
                            REMEDY.formatted(cpus.text(), "--tool-container-max-cpus")));
        }
        if (pidsLimit != null
                && requested.pidsLimit() != null
                && requested.pidsLimit() > pidsLimit) {
            errors.add(
                    FieldError.invalid(
                            path.child("pids_limit"),
                            requested.pidsLimit(),
                            REMEDY.formatted(pidsLimit, "--tool-container-max-pids-limit")));
        }
        return errors;
    }
}
