package dev.orloj.runtime.session;

import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.limit.ProcessQuota;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.transport.Transports;

import java.util.random.RandomGenerator;

/** The services that all sessions share. */
record SessionContext(
        Transports transports,
        SessionListener listener,
        Scheduler clock,
        RandomGenerator random,
        SessionSettings settings,
        ProcessQuota quota,
        SingletonTerm singletons,
        Starts starts) {}
