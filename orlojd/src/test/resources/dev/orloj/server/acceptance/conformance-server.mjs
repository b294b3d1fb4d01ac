// An MCP server with the tools, prompts and resources that the conformance suite asks for by name. It stands
// behind orlojd, over stdio, so that what the suite sees is what orlojd makes of it.
//
//   node conformance-server.mjs older|newer
//
// The older line of the official SDK speaks revisions with sessions only, the newer one 2026-07-28 only.
import { createHmac, randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as newer from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as older from "@modelcontextprotocol/sdk/types.js";

const line = process.argv[2];

class Refusal extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const EXTRA = "test_comes_and_goes";
// Whether the tool is there is a fact outside this process, as with real servers: clients may have processes of their own.
const CHANGED = new URL(`./tools-of-${line}.changed`, import.meta.url);
let promptChanges = 0;

const offered = () =>
  existsSync(CHANGED)
    ? { ...tools, [EXTRA]: { description: "Comes and goes", call: async () => ({ content: [] }) } }
    : tools;

const nothing = { type: "object", properties: {} };
const text = (value) => ({ type: "text", text: value });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri, mimeType, value) => ({ type: "resource", resource: { uri, mimeType, text: value } });

const info = { name: "conformance-fixture", version: "1.0.0" };
const options = {
  capabilities: {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true },
    completions: {},
    logging: {},
  },
};
let server;

// Keywords of JSON Schema 2020-12 that a proxy might lose on the way.
const everyKeyword = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const asks = {
  elicitation: (message, properties) => ({
    method: "elicitation/create",
    params: { message, requestedSchema: { type: "object", properties, required: Object.keys(properties) } },
  }),
  sampling: (prompt) => ({
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 },
  }),
  roots: () => ({ method: "roots/list", params: {} }),
};
const string = { type: "string" };

async function elicit(client, message, properties) {
  const { answer } = await client.ask({
    answer: { method: "elicitation/create", params: { message, requestedSchema: { type: "object", properties } } },
  });
  return {
    content: [
      text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`),
    ],
  };
}

// A tool that returns the answers it was given.
const curious = (requests) => ({
  description: "Wants to know more",
  call: async (_, client) => ({ content: [text(JSON.stringify(await client.ask(requests)))] }),
});

const titled = (names) => names.map((title, i) => ({ const: `value${i + 1}`, title }));

const tools = {
  test_simple_text: {
    description: "Returns text",
    call: async () => ({ content: [text("This is a simple text response for testing.")] }),
  },
  test_image_content: { description: "Returns an image", call: async () => ({ content: [image] }) },
  test_audio_content: {
    description: "Returns a sound",
    call: async () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    description: "Returns a resource",
    call: async () => ({
      content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }),
  },
  test_multiple_content_types: {
    description: "Returns content of several types",
    call: async () => ({
      content: [
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    }),
  },
  test_tool_with_logging: {
    description: "Logs while it works",
    call: async (_, client) => {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await client.log(data);
        await pause(50);
      }
      return { content: [text("Logged three times")] };
    },
  },
  test_tool_with_progress: {
    description: "Tells how far it is",
    call: async (_, client) => {
      for (const progress of [0, 50, 100]) {
        await client.progressed({ progress, total: 100 });
        await pause(50);
      }
      return { content: [text("Done in three steps")] };
    },
  },
  test_error_handling: {
    description: "Fails",
    call: async () => ({
      isError: true,
      content: [text("This tool intentionally returns an error for testing")],
    }),
  },
  test_reconnection: {
    description: "Returns text, after a while",
    call: async () => {
      await pause(100);
      return { content: [text("Still here")] };
    },
  },
  test_logging_tool: {
    description: "Logs without a request for logs",
    call: async (_, client) => {
      await client.log("No request asked for it");
      return { content: [text("Logged once")] };
    },
  },
  test_trigger_tool_change: {
    description: "Adds a tool, or takes it away",
    call: async () => {
      if (existsSync(CHANGED)) {
        rmSync(CHANGED, { force: true });
      } else {
        writeFileSync(CHANGED, "");
      }
      await server.sendToolListChanged();
      return { content: [text("Changed")] };
    },
  },
  test_trigger_prompt_change: {
    description: "Adds a prompt, or takes it away",
    call: async () => {
      delete prompts[EXTRA];
      if ((promptChanges += 1) % 2 === 1) {
        prompts[EXTRA] = { get: () => [user(text("Comes and goes"))] };
      }
      await server.sendPromptListChanged();
      return { content: [text("Changed")] };
    },
  },
  test_headers: {
    description: "Wants an argument in a header as well",
    inputSchema: {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    },
    call: async ({ region }) => ({ content: [text(`Region ${region}`)] }),
  },
  json_schema_2020_12_tool: {
    description: "Tool with JSON Schema 2020-12 features",
    inputSchema: everyKeyword,
    call: async () => ({ content: [text("Valid")] }),
  },
  test_sampling: {
    description: "Asks a model",
    inputSchema: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    call: async ({ prompt }, client) => {
      const { answer } = await client.ask({ answer: asks.sampling(prompt) });
      return { content: [text(`LLM response: ${answer.content.text}`)] };
    },
  },
  test_elicitation: {
    description: "Asks the user",
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    call: ({ message }, client) =>
      elicit(client, message, { username: { type: "string" }, email: { type: "string", format: "email" } }),
  },
  test_elicitation_sep1034_defaults: {
    description: "Asks the user, with answers at hand",
    call: (_, client) =>
      elicit(client, "Please review", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    description: "Has the user choose",
    call: (_, client) =>
      elicit(client, "Please choose", {
        untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
        titledSingle: { type: "string", oneOf: titled(["First Option", "Second Option", "Third Option"]) },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
        titledMulti: {
          type: "array",
          items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) },
        },
      }),
  },
  test_missing_capability: {
    description: "Does nothing without a model",
    call: async (_, client) => {
      if (!client.declares("sampling")) {
        throw new Refusal(-32021, "Needs sampling", { requiredCapabilities: { sampling: {} } });
      }
      return { content: [text("There is one")] };
    },
  },
  test_streaming_elicitation: curious({ name: asks.elicitation("What is your name?", { name: string }) }),
  test_input_required_result_elicitation: {
    description: "Greets by name",
    call: async (_, client) => {
      const { user_name } = await client.ask({ user_name: asks.elicitation("What is your name?", { name: string }) });
      return { content: [text(`Hello, ${user_name.content?.name}!`)] };
    },
  },
  test_input_required_result_sampling: curious({ capital_question: asks.sampling("What is the capital of France?") }),
  test_input_required_result_list_roots: curious({ client_roots: asks.roots() }),
  test_input_required_result_request_state: {
    description: "Remembers what it began with",
    call: async (_, client) => {
      await client.ask({ confirm: asks.elicitation("Please confirm", { ok: { type: "boolean" } }) });
      return { content: [text("state-ok")] };
    },
  },
  test_input_required_result_multiple_inputs: curious({
    user_name: asks.elicitation("What is your name?", { name: string }),
    greeting: asks.sampling("Generate a greeting"),
    client_roots: asks.roots(),
  }),
  test_input_required_result_multi_round: {
    description: "Wants to know one thing after the other",
    call: async (_, client) => {
      const { step1 } = await client.ask({ step1: asks.elicitation("Step 1: What is your name?", { name: string }) });
      const { step2 } = await client.ask({
        step2: asks.elicitation("Step 2: What is your favorite color?", { color: string }),
      });
      return { content: [text(`${step1.content?.name} likes ${step2.content?.color}`)] };
    },
  },
  test_input_required_result_tampered_state: curious({
    confirm: asks.elicitation("Please confirm", { ok: { type: "boolean" } }),
  }),
  test_input_required_result_capabilities: {
    description: "Asks the client that calls",
    call: async (_, client) => {
      const requests = {};
      if (client.declares("sampling")) {
        requests.model = asks.sampling("Who are you?");
      }
      if (client.declares("elicitation")) {
        requests.user = asks.elicitation("Who are you?", { name: string });
      }
      return { content: [text(JSON.stringify(await client.ask(requests)))] };
    },
  },
};

const user = (content) => ({ role: "user", content });
const argument = (name) => ({ name, description: `The ${name}`, required: true });
const prompts = {
  test_simple_prompt: {
    get: () => [user(text("This is a simple prompt for testing."))],
  },
  test_prompt_with_arguments: {
    arguments: [argument("arg1"), argument("arg2")],
    get: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    arguments: [argument("resourceUri")],
    get: ({ resourceUri }) => [
      user(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
      user(text("Please process the embedded resource above.")),
    ],
  },
  test_prompt_with_image: {
    get: () => [user(image), user(text("Please analyze the image above."))],
  },
  test_input_required_result_prompt: {
    get: async (_, client) => {
      const { user_context } = await client.ask({
        user_context: asks.elicitation("What context should the prompt use?", { context: string }),
      });
      return [user(text(`Context: ${user_context.content?.context}`))];
    },
  },
};

const resources = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched" },
};

const handlers = {
  "tools/list": () => ({
    tools: Object.entries(offered()).map(([name, tool]) => ({
      name,
      description: tool.description,
      inputSchema: tool.inputSchema ?? nothing,
    })),
  }),
  "tools/call": (params, client) => {
    const tool = offered()[params.name];
    if (!tool) {
      throw new Refusal(-32602, `Unknown tool ${params.name}`);
    }
    return tool.call(params.arguments ?? {}, client);
  },
  "prompts/list": () => ({
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: `The prompt ${name}`,
      arguments: prompt.arguments ?? [],
    })),
  }),
  "prompts/get": async (params, client) => {
    const prompt = prompts[params.name];
    if (!prompt) {
      throw new Refusal(-32602, `Unknown prompt ${params.name}`);
    }
    return { messages: await prompt.get(params.arguments ?? {}, client) };
  },
  "resources/list": () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [
      { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
    ],
  }),
  "resources/read": ({ uri }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const content = id
      ? { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
      : resources[uri];
    if (!content) {
      throw new Refusal(line === "older" ? -32002 : -32602, "Resource not found", { uri });
    }
    return { contents: [{ uri, ...content }] };
  },
  "completion/complete": ({ argument }) => {
    const values = ["paris", "park", "party"].filter((v) => v.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  },
  ...(line === "older" && {
    "resources/subscribe": () => ({}),
    "resources/unsubscribe": () => ({}),
    "logging/setLevel": () => ({}),
  }),
};

const progress = (token, notify) => async (params) => {
  if (token !== undefined) {
    await notify({ method: "notifications/progress", params: { progressToken: token, ...params } });
  }
};

// What was declared at the start is what some client can answer; that this one cannot is reported here.
const refused = (e) => {
  if (e instanceof older.McpError && e.code === -32601) {
    return { refused: e.message };
  }
  throw e;
};

// Asks while the call goes on.
function olderServer() {
  const made = new Server(info, options);
  const requests = Object.values(older).filter((type) => handlers[type?.shape?.method?.value]);
  const results = {
    "elicitation/create": older.ElicitResultSchema,
    "sampling/createMessage": older.CreateMessageResultSchema,
    "roots/list": older.ListRootsResultSchema,
  };
  for (const type of requests) {
    made.setRequestHandler(type, async ({ method, params }, extra) => {
      const client = {
        progressed: progress(extra._meta?.progressToken, extra.sendNotification),
        log: (data) => made.sendLoggingMessage({ level: "info", data }),
        declares: (name) => made.getClientCapabilities()?.[name] !== undefined,
        ask: async (asked) =>
          Object.fromEntries(
            await Promise.all(
              Object.entries(asked).map(async ([key, request]) => [
                key,
                await extra.sendRequest(request, results[request.method]).catch(refused),
              ]),
            ),
          ),
      };
      try {
        return await handlers[method](params ?? {}, client);
      } catch (e) {
        if (e instanceof Refusal) {
          throw new older.McpError(e.code, e.message, e.data);
        }
        return { isError: true, content: [text(String(e))] };
      }
    });
  }
  return made;
}

const key = randomBytes(32);
const signed = (answers) => {
  const known = Buffer.from(JSON.stringify(answers)).toString("base64url");
  return `${known}.${createHmac("sha256", key).update(known).digest("base64url")}`;
};
const verified = (state) => {
  const answers = JSON.parse(Buffer.from(String(state).split(".")[0], "base64url").toString() || "{}");
  if (signed(answers) !== state) {
    throw new Refusal(-32602, "The requestState is none of this server");
  }
  return answers;
};

class Round extends Error {
  constructor(result) {
    super("Another round");
    this.result = result;
  }
}

// Ends the call when something is not known, and begins it again with what is known.
function newerServer() {
  const made = new newer.Server(info, options);
  for (const [method, handler] of Object.entries(handlers)) {
    made.setRequestHandler(method, async ({ params }, { mcpReq }) => {
      try {
        const state = mcpReq.requestState();
        const known = { ...(state === undefined ? {} : verified(state)), ...mcpReq.inputResponses };
        const used = {};
        const capabilities = mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
        const client = {
          progressed: progress(mcpReq._meta?.progressToken, mcpReq.notify),
          log: (data) => mcpReq.log("info", data),
          declares: (name) => capabilities[name] !== undefined,
          ask: async (asked) => {
            const open = Object.entries(asked).filter(([name]) => typeof known[name] !== "object");
            if (open.length > 0) {
              throw new Round({
                resultType: "input_required",
                inputRequests: Object.fromEntries(open),
                requestState: signed(used),
              });
            }
            const answers = Object.fromEntries(Object.keys(asked).map((name) => [name, known[name]]));
            Object.assign(used, answers);
            return answers;
          },
        };
        return await handler(params ?? {}, client);
      } catch (e) {
        if (e instanceof Round) {
          return e.result;
        }
        throw e instanceof Refusal ? new newer.ProtocolError(e.code, e.message, e.data) : e;
      }
    });
  }
  return made;
}

if (line === "older") {
  server = olderServer();
  await server.connect(new StdioServerTransport());
} else {
  serveStdio(() => (server = newerServer()), { legacy: "reject" });
}
