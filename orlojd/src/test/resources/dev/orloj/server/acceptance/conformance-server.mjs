// An MCP server with the tools, prompts and resources that the conformance suite asks for by name. It stands
// behind orlojd, over stdio, so that what the suite sees is what orlojd makes of it.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { setTimeout as pause } from "node:timers/promises";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const EXTRA = "test_comes_and_goes";
let toolChanges = 0;
let promptChanges = 0;

const nothing = { type: "object", properties: {} };
const text = (value) => ({ type: "text", text: value });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri, mimeType, value) => ({ type: "resource", resource: { uri, mimeType, text: value } });

const server = new Server(
  { name: "conformance-fixture", version: "1.0.0" },
  {
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true },
      completions: {},
      logging: {},
    },
  },
);

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

// Asks the client for something; orlojd refuses what it does not serve, and the tool says so.
async function asking(question) {
  return { content: [text(await question())] };
}

const elicit = (message, properties) =>
  asking(async () => {
    const answer = await server.elicitInput({ message, requestedSchema: { type: "object", properties } });
    return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
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
    call: async () => {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await server.sendLoggingMessage({ level: "info", data });
        await pause(50);
      }
      return { content: [text("Logged three times")] };
    },
  },
  test_tool_with_progress: {
    description: "Tells how far it is",
    call: async (_, extra) => {
      for (const progress of [0, 50, 100]) {
        if (extra._meta?.progressToken !== undefined) {
          await extra.sendNotification({
            method: "notifications/progress",
            params: { progressToken: extra._meta.progressToken, progress, total: 100 },
          });
        }
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
    description: "Logs, whoever listens",
    call: async () => {
      await server.sendLoggingMessage({ level: "info", data: "Nobody asked" });
      return { content: [text("Logged once")] };
    },
  },
  test_trigger_tool_change: {
    description: "Adds a tool, or takes it away",
    call: async () => {
      delete tools[EXTRA];
      if ((toolChanges += 1) % 2 === 1) {
        tools[EXTRA] = { description: "Comes and goes", call: async () => ({ content: [] }) };
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
    call: ({ prompt }) =>
      asking(async () => {
        const answer = await server.createMessage({
          messages: [{ role: "user", content: text(prompt) }],
          maxTokens: 100,
        });
        return `LLM response: ${answer.content.text}`;
      }),
  },
  test_elicitation: {
    description: "Asks the user",
    inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    call: ({ message }) =>
      elicit(message, { username: { type: "string" }, email: { type: "string", format: "email" } }),
  },
  test_elicitation_sep1034_defaults: {
    description: "Asks the user, with answers at hand",
    call: () =>
      elicit("Please review", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    description: "Has the user choose",
    call: () =>
      elicit("Please choose", {
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
};

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: Object.entries(tools).map(([name, tool]) => ({
    name,
    description: tool.description,
    inputSchema: tool.inputSchema ?? nothing,
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
  const tool = tools[request.params.name];
  if (!tool) {
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${request.params.name}`);
  }
  try {
    return await tool.call(request.params.arguments ?? {}, extra);
  } catch (e) {
    return { isError: true, content: [text(String(e))] };
  }
});

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
};

server.setRequestHandler(ListPromptsRequestSchema, async () => ({
  prompts: Object.entries(prompts).map(([name, prompt]) => ({
    name,
    description: `The prompt ${name}`,
    arguments: prompt.arguments ?? [],
  })),
}));
server.setRequestHandler(GetPromptRequestSchema, async (request) => {
  const prompt = prompts[request.params.name];
  if (!prompt) {
    throw new McpError(ErrorCode.InvalidParams, `Unknown prompt ${request.params.name}`);
  }
  return { messages: prompt.get(request.params.arguments ?? {}) };
});

const resources = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched" },
};

server.setRequestHandler(ListResourcesRequestSchema, async () => ({
  resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
}));
server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
  resourceTemplates: [
    { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
  ],
}));
server.setRequestHandler(ReadResourceRequestSchema, async (request) => {
  const { uri } = request.params;
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  const content = id
    ? { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
    : resources[uri];
  if (!content) {
    throw new McpError(-32002, "Resource not found", { uri });
  }
  return { contents: [{ uri, ...content }] };
});
server.setRequestHandler(SubscribeRequestSchema, async () => ({}));
server.setRequestHandler(UnsubscribeRequestSchema, async () => ({}));
server.setRequestHandler(SetLevelRequestSchema, async () => ({}));
server.setRequestHandler(CompleteRequestSchema, async (request) => {
  const values = ["paris", "park", "party"].filter((v) => v.startsWith(request.params.argument.value));
  return { completion: { values, total: values.length, hasMore: false } };
});

await server.connect(new StdioServerTransport());
