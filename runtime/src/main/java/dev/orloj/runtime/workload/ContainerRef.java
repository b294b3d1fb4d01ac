package dev.orloj.runtime.workload;

/**
 * A container that a program runs in.
 *
 * @param id what its engine calls it, 64 hexadecimal digits
 * @param name what people call it
 */
public record ContainerRef(String id, String name) {}
