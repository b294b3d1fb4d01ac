package dev.orloj.server.store.key;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Finds the slot of a token by its label. The provider of the JDK takes the number of a slot only,
 * which changes with the devices. The module must have been initialized by that provider, which
 * asks for locks.
 */
final class Pkcs11Slots {

    private static final int MAX_SLOTS = 256;
    private static final int LABEL_BYTES = 32;

    /** More than any CK_TOKEN_INFO. */
    private static final int INFO_BYTES = 512;

    private static final int FUNCTION_LIST_BYTES = 8 * 70;

    /** The places of the functions in CK_FUNCTION_LIST, after its version. */
    private static final int GET_SLOT_LIST = 4;

    private static final int GET_TOKEN_INFO = 6;

    private static final ValueLayout.OfLong ULONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
    private static final byte TRUE = 1;

    private Pkcs11Slots() {}

    /**
     * Returns the slot with a token of this label; empty when there is none.
     *
     * @throws IOException when the module cannot be used, or two tokens have the label
     */
    static OptionalLong find(Path module, String label) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            List<Long> found = new ArrayList<>();
            MemorySegment functions = functions(module, arena);
            MethodHandle tokenInfo =
                    handle(functions, GET_TOKEN_INFO, FunctionDescriptor.of(ULONG, ULONG, ADDRESS));
            for (long slot : slots(functions, arena)) {
                MemorySegment info = arena.allocate(INFO_BYTES);
                if ((long) tokenInfo.invokeExact(slot, info) == 0 && label(info).equals(label)) {
                    found.add(slot);
                }
            }
            if (found.size() > 1) {
                throw new IOException(
                        "%d tokens have the label \"%s\"".formatted(found.size(), label));
            }
            return found.isEmpty() ? OptionalLong.empty() : OptionalLong.of(found.getFirst());
        } catch (IOException e) {
            throw new IOException("the module \"%s\": %s".formatted(module, e.getMessage()), e);
        } catch (Throwable e) { // what a call of C declares
            throw new IOException("\"" + module + "\" is no PKCS#11 module: " + e.getMessage(), e);
        }
    }

    private static String label(MemorySegment info) {
        byte[] bytes = info.asSlice(0, LABEL_BYTES).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8).stripTrailing();
    }

    private static MemorySegment functions(Path module, Arena arena) throws Throwable {
        // Never unloaded: the provider of the JDK uses it until the process ends.
        MemorySegment symbol =
                SymbolLookup.libraryLookup(module, Arena.global())
                        .find("C_GetFunctionList")
                        .orElseThrow(() -> new IOException("it has no C_GetFunctionList"));
        MethodHandle getFunctionList =
                Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(ULONG, ADDRESS));
        MemorySegment list = arena.allocate(ADDRESS);
        check((long) getFunctionList.invokeExact(list), "C_GetFunctionList");
        return list.get(ADDRESS, 0).reinterpret(FUNCTION_LIST_BYTES);
    }

    private static long[] slots(MemorySegment functions, Arena arena) throws Throwable {
        MethodHandle slotList =
                handle(
                        functions,
                        GET_SLOT_LIST,
                        FunctionDescriptor.of(ULONG, ValueLayout.JAVA_BYTE, ADDRESS, ADDRESS));
        MemorySegment count = arena.allocate(ULONG);
        count.set(ULONG, 0, MAX_SLOTS);
        MemorySegment slots = arena.allocate(MemoryLayout.sequenceLayout(MAX_SLOTS, ULONG));
        check((long) slotList.invokeExact(TRUE, slots, count), "C_GetSlotList");
        return slots.asSlice(0, count.get(ULONG, 0) * ULONG.byteSize()).toArray(ULONG);
    }

    private static MethodHandle handle(
            MemorySegment functions, int place, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(
                        functions.get(ADDRESS, ADDRESS.byteSize() * (place + 1L)), descriptor);
    }

    private static void check(long result, String function) throws IOException {
        if (result != 0) {
            throw new IOException("%s returned 0x%x".formatted(function, result));
        }
    }
}
