package dev.orloj.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;

class AddressRangesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "198.19.0.1",
                "224.0.0.251",
                "255.255.255.255",
                "::",
                "::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "ff02::1",
                "64:ff9b::a00:1",
                "2002:0a00:0001::1",
                "2001:0:a00:1::1",
                "::ffff:10.0.0.1",
            })
    void nearAddressesAreNotPublic(String address) {
        assertThat(AddressRanges.isPublic(InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "203.0.113.7",
                "2606:4700::1111",
                "::ffff:1.1.1.1",
            })
    void addressesOfTheInternetArePublic(String address) {
        assertThat(AddressRanges.isPublic(InetAddress.ofLiteral(address))).isTrue();
    }
}
