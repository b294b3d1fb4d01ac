package dev.orloj.runtime.call;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;

import tools.jackson.databind.JsonNode;

import java.util.concurrent.atomic.AtomicBoolean;

/** The schema of a tool's arguments, ready for use. */
sealed interface InputSchema {

    /** What it was made from. */
    JsonNode source();

    /** Cannot be used, or must not: arguments pass unchecked, and the server checks them itself. */
    record Unchecked(JsonNode source) implements InputSchema {}

    /**
     * @param noted whether it has been logged that a check could not be carried out
     */
    record Compiled(JsonNode source, Schema schema, AtomicBoolean noted) implements InputSchema {

        private static final int MOST_STEPS = 200_000;

        /**
         * All violations.
         *
         * @throws CheckBudget.Exceeded when the check would take too long
         * @throws com.networknt.schema.SchemaException when a reference leads nowhere
         */
        ExecutionContext validate(JsonNode arguments) {
            CheckBudget budget = new CheckBudget(MOST_STEPS);
            Bounded context = new Bounded(budget);
            ScopedValue.where(CheckBudget.CURRENT, budget)
                    .run(() -> schema.validate(context, arguments));
            budget.verify();
            return context;
        }
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
