package dev.orloj.server.store.ledger;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** Fails one statement, or the commit, of a real data source, or does something before it. */
final class FailingDataSource {

    static final String MESSAGE = "the machine stopped here";

    private static final Set<String> INTERRUPTIBLE = Set.of("prepareStatement", "commit");
    private static final Set<String> AFTER_A_STOP = Set.of("close", "isClosed", "rollback");

    private final DataSource real;
    private final AtomicInteger left = new AtomicInteger();
    private volatile Interruption interruption = FailingDataSource::fail;

    /** What comes before a statement. */
    interface Interruption {
        void run() throws SQLException;
    }

    FailingDataSource(DataSource real) {
        this.real = real;
    }

    /** Fails the n-th of the next statements and commits, counted from 1. */
    void failAt(int number) {
        at(number, FailingDataSource::fail);
    }

    /** Does something before the n-th of the next statements and commits, counted from 1. */
    void at(int number, Interruption action) {
        interruption = action;
        left.set(number);
    }

    /** Interrupts nothing more. */
    void never() {
        left.set(0);
    }

    static void fail() throws SQLException {
        throw new SQLException(MESSAGE, "XX000");
    }

    boolean hasFailed() {
        return left.get() <= 0;
    }

    DataSource dataSource() {
        return proxy(
                DataSource.class,
                (method, arguments) -> {
                    Object result = invoke(real, method, arguments);
                    return result instanceof Connection connection
                            ? interruptible(connection)
                            : result;
                });
    }

    /**
     * After an interruption that throws, the connection only closes, as that of a machine that
     * stopped: a switch to auto-commit would commit what was written.
     */
    private Connection interruptible(Connection connection) {
        AtomicBoolean stopped = new AtomicBoolean();
        return proxy(
                Connection.class,
                (method, arguments) -> {
                    if (stopped.get() && !AFTER_A_STOP.contains(method.getName())) {
                        fail();
                    }
                    if (INTERRUPTIBLE.contains(method.getName()) && left.decrementAndGet() == 0) {
                        stopped.set(true);
                        interruption.run();
                        stopped.set(false);
                    }
                    return invoke(connection, method, arguments);
                });
    }

    private static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private interface Call {
        Object of(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> call.of(method, arguments)));
    }
}
