// What an agent does with a server (story-server.mjs), with an official TypeScript client; prints what it got as JSON.
//
//   node agent-story.mjs direct COMMAND ARGS...   the older client, with the server itself
//   node agent-story.mjs older URL                the older client (revisions with sessions)
//   node agent-story.mjs newer URL                the client of revision 2026-07-28
//
// Runs in a folder where @modelcontextprotocol/sdk and @modelcontextprotocol/client are installed.
import { setTimeout as pause } from "node:timers/promises";
import * as newer from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const me = { name: "story", version: "1" };
const capabilities = { elicitation: { form: {} }, sampling: {} };
const [line, target, ...args] = process.argv.slice(2);

const asUser = async () => ({ action: "accept", content: { name: "Petr" } });
const asModel = async () => ({ role: "assistant", model: "none", content: { type: "text", text: "Pavel" } });

async function connect() {
  if (line === "newer") {
    const client = new newer.Client(me, {
      capabilities,
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    client.setRequestHandler("elicitation/create", asUser);
    client.setRequestHandler("sampling/createMessage", asModel);
    await client.connect(new newer.StreamableHTTPClientTransport(new URL(target)));
    return client;
  }
  const client = new Client(me, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, asUser);
  client.setRequestHandler(CreateMessageRequestSchema, asModel);
  await client.connect(
    line === "direct"
      ? new StdioClientTransport({ command: target, args, stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(target)),
  );
  return client;
}

// How long something may be kept is said in 2026-07-28 only, and is between the agent and orlojd.
const plain = ({ ttlMs, cacheScope, resultType, _meta, ...result }) => result;
const got = async (answer) => (line === "newer" ? plain(await answer) : await answer);

const client = await connect();
const call = (name, params = {}, options) =>
  got(
    line === "newer"
      ? client.callTool({ name, arguments: params }, options)
      : client.callTool({ name, arguments: params }, undefined, options),
  );
const refusal = (answer) =>
  answer.then(
    () => "none",
    (e) => e.code,
  );

const refused = () => "refused";

async function lists() {
  return {
    tools: (await client.listTools()).tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    prompts: (await client.listPrompts()).prompts,
    resources: (await client.listResources()).resources,
    templates: (await client.listResourceTemplates()).resourceTemplates,
  };
}

async function calls() {
  const progress = [];
  return {
    echo: await call("echo", { message: "Ahoj — 你好 \u0000" }),
    everything: await call("everything"),
    measure: await call("measure"),
    fail: await call("fail"),
    steps: await call("steps", {}, { onprogress: (step) => progress.push(step) }),
    progress,
    unknown: await refusal(call("nothing")),
    asked: [await call("ask_user").catch(refused), await call("ask_model").catch(refused)],
  };
}

async function reads() {
  const argument = { name: "who", value: "P" };
  const read = (uri) => got(client.readResource({ uri }));
  return {
    prompt: await got(client.getPrompt({ name: "greet", arguments: { who: "Petr" } })),
    text: await read("story://texts/first"),
    item: await read("story://items/7"),
    missing: [-32002, -32602].includes(await refusal(read("story://texts/none"))),
    completion: await got(client.complete({ ref: { type: "ref/prompt", name: "greet" }, argument })),
  };
}

// How many calls the server was asked to cancel, after one that was.
async function cancellation() {
  const count = async () => Number((await call("given_up")).content[0].text);
  const before = await count();
  const giveUp = new AbortController();
  const options = { signal: giveUp.signal, onprogress: () => giveUp.abort() };
  await call("wait", {}, options).catch(() => {});
  for (let i = 0; i < 100 && (await count()) === before; i++) {
    await pause(50);
  }
  return (await count()) - before;
}

// The tools that there are whenever the agent is notified that they have changed.
async function changes() {
  let notified;
  const tellsNext = () => new Promise((resolve) => (notified = resolve));
  const names = async () => (await client.listTools()).tools.map((tool) => tool.name).toSorted();
  if (line === "newer") {
    client.setNotificationHandler("notifications/tools/list_changed", () => notified());
    await client.listen({ toolsListChanged: true });
  } else {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => notified());
  }
  const after = [];
  for (const tool of ["grow", "shrink"]) {
    const next = tellsNext();
    await call(tool);
    await next;
    after.push(await names());
  }
  return after;
}

const story = {
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  ...(await lists()),
  ...(await calls()),
  ...(await reads()),
  cancelled: await cancellation(),
  changes: await changes(),
};
await client.close();
process.stdout.write(JSON.stringify(story));
process.exit();
