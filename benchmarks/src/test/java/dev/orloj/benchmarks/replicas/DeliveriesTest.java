package dev.orloj.benchmarks.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class DeliveriesTest {

    @Test
    void changeIsDeliveredWhenTheLastReplicaHasIt() throws InterruptedException {
        Deliveries deliveries = new Deliveries(7, 1, 2);
        deliveries.written(7);
        deliveries.received(7);
        assertThat(deliveries.await(Duration.ZERO)).isEqualTo(1);
        assertThat(deliveries.delays().count()).isZero();

        deliveries.received(7);
        assertThat(deliveries.await(Duration.ZERO)).isZero();
        assertThat(deliveries.delays().count()).isEqualTo(1);
    }

    @Test
    void changesOfAnotherRunAreIgnored() throws InterruptedException {
        Deliveries deliveries = new Deliveries(7, 1, 1);
        deliveries.written(7);
        deliveries.received(6);
        deliveries.received(8);
        deliveries.received(-1);
        assertThat(deliveries.await(Duration.ZERO)).isEqualTo(1);
    }
}
