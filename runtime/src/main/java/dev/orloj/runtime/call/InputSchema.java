package dev.orloj.runtime.call;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;

/** The prepared schema of a tool's arguments. */
sealed interface InputSchema {

    /** Steps per value: a schema may examine each value in about this many ways. */
    int STEPS_OF_A_VALUE = 50;

    /** Steps per character, for patterns. */
    int STEPS_OF_A_CHARACTER = 10;

    /** Returns the schema from which this one was made. */
    JsonNode source();

    /**
     * The schema is not usable or must not be used: arguments pass unchecked, and the server
     * validates them.
     */
    record Unchecked(JsonNode source) implements InputSchema {}

    /** The schema refers to itself without end: arguments cannot be checked, so no call is made. */
    record Endless(JsonNode source) implements InputSchema {}

    /**
     * @param noted whether a failed check was already logged
     */
    record Compiled(JsonNode source, Schema schema, AtomicBoolean noted) implements InputSchema {

        private static final int LEAST_STEPS = 200_000;

        /**
         * Validates arguments and returns all violations.
         *
         * @throws CheckBudget.Exceeded when the check would take too long
         * @throws com.networknt.schema.SchemaException when a reference cannot be resolved
         */
        ExecutionContext validate(JsonNode arguments) {
            CheckBudget budget = new CheckBudget(steps(arguments));
            Bounded context = new Bounded(budget);
            ScopedValue.where(CheckBudget.CURRENT, budget)
                    .run(() -> schema.validate(context, arguments));
            budget.verify();
            return context;
        }
    }

    /** Returns the budget of a check, which is proportional to the size of the arguments. */
    private static int steps(JsonNode checked) {
        long steps = Compiled.LEAST_STEPS;
        Deque<JsonNode> left = new ArrayDeque<>();
        left.add(checked);
        while (!left.isEmpty()) {
            JsonNode next = left.removeLast();
            steps += STEPS_OF_A_VALUE;
            if (next.isString()) {
                steps += (long) STEPS_OF_A_CHARACTER * next.stringValue().length();
            }
            next.forEach(left::add);
        }
        return (int) Math.min(steps, Integer.MAX_VALUE);
    }

    /** Counts a step whenever the validator enters a schema. */
    final class Bounded extends ExecutionContext {

        private final CheckBudget budget;

        Bounded(CheckBudget budget) {
            this.budget = budget;
        }

        @Override
        public void evaluationPathAddLast(String keyword) {
            budget.spend();
            super.evaluationPathAddLast(keyword);
        }

        @Override
        public void evaluationPathAddLast(int index) {
            budget.spend();
            super.evaluationPathAddLast(index);
        }
    }
}
