package dev.orloj.runtime.examination;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;

/** A place in a result: a step, and the place before it. Written out only if it is needed. */
record ResultLocation(@Nullable ResultLocation parent, String step) {

    static final ResultLocation ROOT = new ResultLocation(null, "");

    ResultLocation child(String name) {
        return new ResultLocation(this, name);
    }

    ResultLocation child(int index) {
        return new ResultLocation(this, Integer.toString(index));
    }

    /** Returns a JSON Pointer in printable ASCII; what is beyond the limit becomes dots. */
    String pointer(int limit) {
        Deque<String> steps = new ArrayDeque<>();
        for (ResultLocation at = this; at.parent != null; at = at.parent) {
            steps.push(at.step);
        }
        StringBuilder pointer = new StringBuilder();
        for (String each : steps) {
            pointer.append('/');
            for (int i = 0; i < each.length(); i++) {
                if (pointer.length() > limit) {
                    return pointer.append("...").toString();
                }
                append(each.charAt(i), pointer);
            }
        }
        return pointer.toString();
    }

    private static void append(char c, StringBuilder pointer) {
        switch (c) {
            case '~' -> pointer.append("~0");
            case '/' -> pointer.append("~1");
            default -> pointer.append(c > ' ' && c < 0x7f ? c : '?');
        }
    }
}
