package dev.orloj.runtime.call;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;

/** The schema of a tool's arguments, ready for use. */
sealed interface InputSchema {

    /** A schema may look at each value in about as many ways. */
    int STEPS_OF_A_VALUE = 50;

    /** And at each character, in its patterns. */
    int STEPS_OF_A_CHARACTER = 10;

    /** What it was made from. */
    JsonNode source();

    /** Cannot be used, or must not: arguments pass unchecked, and the server checks them itself. */
    record Unchecked(JsonNode source) implements InputSchema {}

    /** Refers to itself without end: no arguments can be checked, so no call is made. */
    record Endless(JsonNode source) implements InputSchema {}

    /**
     * @param noted whether it has been logged that a check could not be carried out
     */
    record Compiled(JsonNode source, Schema schema, AtomicBoolean noted) implements InputSchema {

        private static final int LEAST_STEPS = 200_000;

        /**
         * All violations.
         *
         * @throws CheckBudget.Exceeded when the check would take too long
         * @throws com.networknt.schema.SchemaException when a reference leads nowhere
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

    /** What a check may cost grows with what is checked, and no faster. */
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

    /** Spends a step whenever the validator goes down into a schema. */
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
