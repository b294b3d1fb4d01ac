package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.v1.ContainerResources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** H-26: no container gets more than there is. */
class HostCapacityTest {

    private static final FieldPath RESOURCES = FieldPath.of("spec", "resources");

    @TempDir Path proc;

    @Test
    void whatTheHostHasIsTheCeilingWhereNoneIsGiven() throws Exception {
        Files.writeString(proc.resolve("meminfo"), "MemTotal:        2097152 kB\nMemFree: 1 kB\n");
        Files.writeString(proc.resolve("cpuinfo"), "processor\t: 0\n\nprocessor\t: 1\n");
        HostCapacity host = HostCapacity.of(proc);

        assertThat(Ceilings.NONE.within(host).check(RESOURCES, requested("999999999g", "3")))
                .extracting(FieldError::toString)
                .satisfiesExactly(
                        memory ->
                                assertThat(memory)
                                        .contains(
                                                "spec.resources.memory",
                                                "999999999g",
                                                "2048m",
                                                "--tool-container-max-memory"),
                        cpus ->
                                assertThat(cpus)
                                        .contains(
                                                "spec.resources.cpus",
                                                "--tool-container-max-cpus"));
        assertThat(Ceilings.NONE.within(host).check(RESOURCES, requested("2g", "2"))).isEmpty();
        Ceilings given = new Ceilings(new ByteSize("4g"), new CpuAmount("4"), null);
        assertThat(given.within(host).check(RESOURCES, requested("4g", "4"))).isEmpty();
    }

    @Test
    void nothingIsAssumedOfAHostThatSaysNothing() {
        assertThat(HostCapacity.of(proc)).isEqualTo(new HostCapacity(null, null));
    }

    private static ContainerResources requested(String memory, String cpus) {
        return new ContainerResources(new ByteSize(memory), new CpuAmount(cpus), null, "", null);
    }
}
