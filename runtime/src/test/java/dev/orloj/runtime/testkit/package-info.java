/**
 * Scripted MCP servers for tests, over stdio and over HTTP. They share one behaviour, {@link
 * dev.orloj.runtime.testkit.FakeMcpServer}, set up by a {@link
 * dev.orloj.runtime.testkit.FakeScript}.
 */
@NullMarked
package dev.orloj.runtime.testkit;

import org.jspecify.annotations.NullMarked;
