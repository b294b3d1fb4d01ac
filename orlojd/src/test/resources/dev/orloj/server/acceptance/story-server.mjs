// The server of the story that official clients tell (agent-story.mjs), made with either line of the official
// TypeScript SDK. Over HTTP it says its URL on stdout.
//
//   node story-server.mjs older|newer stdio|http
//
// The older line speaks revisions with sessions only, the newer one 2026-07-28 only. Runs in a folder where
// @modelcontextprotocol/sdk, /server and /node are installed.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import * as newerHttp from "@modelcontextprotocol/node";
import * as newer from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as older from "@modelcontextprotocol/sdk/types.js";

const [line, transport] = process.argv.slice(2);
const info = { name: "story", title: "A story", version: "1.0.0" };
const options = {
  instructions: "Tell it from the beginning",
  capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, completions: {} },
};

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

// What happens in one call is seen by the next, in whatever session or request it comes.
let given = 0;
let grown = false;
let tellToolsChanged;

class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// What the server cannot go on without in revision 2026-07-28.
class Question extends Error {
  constructor(request) {
    super(request.method);
    this.request = request;
  }
}

const text = (value) => ({ content: [{ type: "text", text: value }], isError: false });
const schema = (properties = {}) => ({ type: "object", properties, required: Object.keys(properties) });
const string = { type: "string" };

const setGrown = async (value) => {
  grown = value;
  await tellToolsChanged();
  return text("Changed");
};

// Asks the client that called.
const asking = (request) => ({
  description: `Needs an answer to ${request.method}`,
  inputSchema: schema(),
  call: async (_, call) => {
    const { content } = await call.ask(request);
    return text(`You are ${content.name ?? content.text}`);
  },
});

const tools = {
  ask_user: asking({
    method: "elicitation/create",
    params: { mode: "form", message: "Who are you?", requestedSchema: schema({ name: string }) },
  }),
  ask_model: asking({
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: { type: "text", text: "Who am I?" } }], maxTokens: 10 },
  }),
  echo: {
    title: "Echo",
    description: "Returns its text — 你好",
    inputSchema: schema({ message: string }),
    annotations: { readOnlyHint: true },
    call: ({ message }) => text(message),
  },
  everything: {
    description: "Returns content of every kind",
    inputSchema: schema(),
    call: () => ({
      content: [
        { type: "text", text: "Look", annotations: { audience: ["user"], priority: 0.5 } },
        { type: "image", data: PIXEL, mimeType: "image/png" },
        { type: "audio", data: SILENCE, mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "story://texts/first", mimeType: "text/plain", text: "Once" } },
        { type: "resource_link", uri: "story://texts/second", name: "second", mimeType: "text/plain" },
      ],
      isError: false,
    }),
  },
  measure: {
    description: "Returns structured content",
    inputSchema: schema(),
    outputSchema: schema({ degrees: { type: "number" }, sky: string }),
    call: () => ({ ...text('{"degrees":21.5,"sky":"clear"}'), structuredContent: { degrees: 21.5, sky: "clear" } }),
  },
  fail: {
    description: "Fails",
    inputSchema: schema(),
    call: () => ({ ...text("It did not work"), isError: true }),
  },
  steps: {
    description: "Tells how far it is",
    inputSchema: schema(),
    call: async (_, call) => {
      for (const progress of [1, 2, 3]) {
        await call.progressed({ progress, total: 3, message: `Step ${progress}` });
        await pause(20); // a client may drop what comes together with the result
      }
      return text("Done");
    },
  },
  wait: {
    description: "Tells that it has begun, and waits for half a minute",
    inputSchema: schema(),
    call: async (_, call) => {
      await call.progressed({ progress: 1 });
      await pause(30_000, undefined, { signal: call.signal }).catch(() => (given += 1));
      return text("Waited");
    },
  },
  given_up: {
    description: "Says how many calls were cancelled",
    inputSchema: schema(),
    call: () => text(String(given)),
  },
  grow: { description: "Adds a tool", inputSchema: schema(), call: () => setGrown(true) },
  shrink: { description: "Takes it away", inputSchema: schema(), call: () => setGrown(false) },
};
const offered = () => (grown ? { ...tools, grown: { ...tools.echo, title: "Grown" } } : tools);

const resources = { "story://texts/first": "Once", "story://texts/second": "Twice" };

const handlers = {
  "tools/list": () => ({ tools: Object.entries(offered()).map(([name, { call, ...tool }]) => ({ name, ...tool })) }),
  "tools/call": (params, call) => {
    const tool = offered()[params.name];
    if (!tool) {
      throw new Refusal(-32602, `Unknown tool ${params.name}`);
    }
    return tool.call(params.arguments ?? {}, call);
  },
  "prompts/list": () => ({
    prompts: [
      { name: "greet", title: "Greet", arguments: [{ name: "who", description: "Whom", required: true }] },
      { name: "plain", description: "Needs nothing" },
    ],
  }),
  "prompts/get": ({ name, arguments: { who } = {} }) => ({
    description: name,
    messages: [{ role: "user", content: { type: "text", text: `Greet ${who}` } }],
  }),
  "resources/list": () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri.split("/").at(-1), mimeType: "text/plain" })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "story://items/{id}", name: "item", mimeType: "application/json" }],
  }),
  "resources/read": ({ uri }) => {
    const id = /^story:\/\/items\/(\d+)$/.exec(uri)?.[1];
    if (!id && !resources[uri]) {
      throw new Refusal(line === "older" ? -32002 : -32602, "Resource not found");
    }
    return {
      contents: [
        id
          ? { uri, mimeType: "application/json", text: JSON.stringify({ id }) }
          : { uri, mimeType: "text/plain", text: resources[uri] },
      ],
    };
  },
  "completion/complete": ({ argument }) => {
    const values = ["Pavel", "Petr", "Tomáš"].filter((name) => name.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  },
};

const refused = (e, type) => (e instanceof Refusal ? new type(e.code, e.message) : e);
const progress = (token, notify) => async (params) => {
  if (token !== undefined) {
    await notify({ method: "notifications/progress", params: { progressToken: token, ...params } });
  }
};

function olderServer() {
  const server = new Server(info, options);
  const requests = Object.values(older).filter((type) => handlers[type?.shape?.method?.value]);
  for (const type of requests) {
    server.setRequestHandler(type, async ({ method, params }, extra) => {
      const progressed = progress(extra._meta?.progressToken, extra.sendNotification);
      const ask = (request) => extra.sendRequest(request, older.ResultSchema);
      try {
        return await handlers[method](params ?? {}, { signal: extra.signal, progressed, ask });
      } catch (e) {
        throw refused(e, older.McpError);
      }
    });
  }
  return server;
}

function newerServer() {
  const server = new newer.Server(info, options);
  for (const [method, handler] of Object.entries(handlers)) {
    server.setRequestHandler(method, async ({ params }, { mcpReq }) => {
      const progressed = progress(mcpReq._meta?.progressToken, mcpReq.notify);
      const ask = async (request) => {
        if (!mcpReq.inputResponses?.answer) {
          throw new Question(request);
        }
        return mcpReq.inputResponses.answer;
      };
      try {
        return await handler(params ?? {}, { signal: mcpReq.signal, progressed, ask });
      } catch (e) {
        if (e instanceof Question) {
          return newer.inputRequired({ inputRequests: { answer: e.request } });
        }
        throw refused(e, newer.ProtocolError);
      }
    });
  }
  return server;
}

function listen(handle) {
  const http = createServer(handle);
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
  process.stdin.resume().on("end", () => process.exit());
}

const serve = {
  older: {
    stdio: async () => {
      const server = olderServer();
      tellToolsChanged = () => server.sendToolListChanged();
      await server.connect(new StdioServerTransport());
    },
    http: () => {
      const sessions = new Map();
      tellToolsChanged = () => Promise.all([...sessions.values()].map(({ server }) => server.sendToolListChanged()));
      listen(async (request, response) => {
        let session = sessions.get(request.headers["mcp-session-id"])?.session;
        if (!session) {
          const server = olderServer();
          session = new StreamableHTTPServerTransport({
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id) => sessions.set(id, { session, server }),
            onsessionclosed: (id) => sessions.delete(id),
          });
          await server.connect(session);
        }
        await session.handleRequest(request, response);
      });
    },
  },
  newer: {
    stdio: () => {
      let current;
      tellToolsChanged = () => current.sendToolListChanged();
      serveStdio(() => (current = newerServer()), { legacy: "reject" });
    },
    http: () => {
      const handler = newer.createMcpHandler(newerServer, { legacy: "reject" });
      tellToolsChanged = async () => handler.notify.toolsChanged();
      listen(newerHttp.toNodeHandler(handler));
    },
  },
};
await serve[line][transport]();
