package dev.orloj.server.store.ledger;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/** Fails one statement, or the commit, of a real data source, or does something before it. */
final class FailingDataSource {

    static final String MESSAGE = "the machine stopped here";

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
        return wrapped(
                DataSource.class,
                real,
                (method, result) ->
                        result instanceof Connection connection ? wrapped(connection) : result);
    }

    private Connection wrapped(Connection connection) {
        return wrapped(Connection.class, connection, (_, result) -> result);
    }

    private interface Result {
        Object of(Method method, Object result);
    }

    private <T> T wrapped(Class<T> type, T target, Result result) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            String name = method.getName();
                            if ((name.equals("prepareStatement") || name.equals("commit"))
                                    && left.decrementAndGet() == 0) {
                                interruption.run();
                            }
                            try {
                                return result.of(method, method.invoke(target, arguments));
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }
}
