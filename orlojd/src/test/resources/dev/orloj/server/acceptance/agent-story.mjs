// What an agent does with a server, told by an official TypeScript client; prints what it got as JSON.
//
//   node agent-story.mjs direct COMMAND ARGS...   the older client, with the server itself
//   node agent-story.mjs older URL                the older client (revisions with sessions)
//   node agent-story.mjs newer URL                the client of revision 2026-07-28
//
// Runs in a folder where @modelcontextprotocol/sdk and @modelcontextprotocol/client are installed.
import * as newer from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const CALLS = [
  "test_simple_text",
  "test_image_content",
  "test_audio_content",
  "test_embedded_resource",
  "test_multiple_content_types",
  "test_error_handling",
];

const me = { name: "story", version: "1" };
const [line, target, ...args] = process.argv.slice(2);

async function connect() {
  if (line === "newer") {
    const client = new newer.Client(me, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new newer.StreamableHTTPClientTransport(new URL(target)));
    return client;
  }
  const client = new Client(me);
  await client.connect(
    line === "direct"
      ? new StdioClientTransport({ command: target, args, stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(target)),
  );
  return client;
}

const call = (client, name, params, options) =>
  line === "newer"
    ? client.callTool({ name, arguments: params }, options)
    : client.callTool({ name, arguments: params }, undefined, options);

// How long something may be kept is said in 2026-07-28 only, and is between the agent and orlojd.
const read = async (client, uri) => {
  const { ttlMs, cacheScope, ...result } = await client.readResource({ uri });
  return result;
};

const sorted = (items, key) => items.toSorted((a, b) => (a[key] < b[key] ? -1 : 1));

const client = await connect();
const story = { server: client.getServerVersion() };
story.tools = sorted((await client.listTools()).tools, "name");
story.results = {};
for (const name of CALLS) {
  story.results[name] = await call(client, name, {});
}
story.progress = [];
await call(client, "test_tool_with_progress", {}, { onprogress: ({ progress }) => story.progress.push(progress) });
story.prompts = (await client.listPrompts()).prompts;
story.prompt = await client.getPrompt({
  name: "test_prompt_with_arguments",
  arguments: { arg1: "hello", arg2: "world" },
});
story.resources = (await client.listResources()).resources;
story.templates = (await client.listResourceTemplates()).resourceTemplates;
story.text = await read(client, "test://static-text");
story.data = await read(client, "test://template/7/data");
story.completion = await client.complete({
  ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
  argument: { name: "arg1", value: "par" },
});
story.missing = await client.readResource({ uri: "test://nothing" }).then(
  () => "found",
  () => "not found",
);
await client.close();
process.stdout.write(JSON.stringify(story));
