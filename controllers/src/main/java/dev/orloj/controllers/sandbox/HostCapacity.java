package dev.orloj.controllers.sandbox;

import dev.orloj.api.ByteSize;
import dev.orloj.api.CpuAmount;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The capacity of the host, regardless of limits for this process. Null if unknown. */
public record HostCapacity(@Nullable ByteSize memory, @Nullable CpuAmount cpus) {

    /** Reads the capacity from the kernel. */
    public static HostCapacity ofThisHost() {
        return of(Path.of("/proc"));
    }

    static HostCapacity of(Path proc) {
        return new HostCapacity(memory(proc.resolve("meminfo")), cpus(proc.resolve("cpuinfo")));
    }

    private static @Nullable ByteSize memory(Path meminfo) {
        return lines(meminfo).stream()
                .filter(line -> line.matches("MemTotal:\\s+\\d{1,15} kB"))
                .findFirst()
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .map(mebibytes -> new ByteSize(mebibytes + "m"))
                .orElse(null);
    }

    private static @Nullable CpuAmount cpus(Path cpuinfo) {
        long processors =
                lines(cpuinfo).stream().filter(line -> line.startsWith("processor")).count();
        return processors == 0 ? null : new CpuAmount(Long.toString(processors));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // not Linux, or hidden
        }
    }
}
