// What the official TypeScript client gets from every server of a servers.json: its definitions, and the results of
// requests that do no harm. One object per server on stdout.
//
//   node server-stories.mjs SERVERS_JSON REQUESTS_JSON WORK_DIR       from the servers themselves, over stdio
//   node server-stories.mjs SERVERS_JSON REQUESTS_JSON WORK_DIR URL   through the endpoint URL/NAME of each server
//
// Runs in a folder where @modelcontextprotocol/sdk is installed. Results are kept as they came, with all members.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError, ResultSchema } from "@modelcontextprotocol/sdk/types.js";

const [serversFile, requestsFile, work, endpoints] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, "utf8").replaceAll("${WORK}", work));
const { servers } = read(serversFile);
const requests = read(requestsFile);

const transport = (server) =>
  endpoints
    ? new StreamableHTTPClientTransport(new URL(`${endpoints}/${server.name}`))
    : new StdioClientTransport({
        command: server.command,
        args: server.args,
        env: { ...getDefaultEnvironment(), ...server.env },
        stderr: "ignore",
      });

const byName = (a, b) => ((a.name ?? a.uriTemplate) < (b.name ?? b.uriTemplate) ? -1 : 1);

async function list(client, method, member) {
  const items = [];
  let cursor;
  do {
    const page = await client.request({ method, params: cursor && { cursor } }, ResultSchema, { timeout: 60_000 });
    items.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor);
  return items.sort(byName);
}

// An error is an answer too.
async function answer(client, { method, params }) {
  const progress = [];
  // The SDK drops what comes in one piece with the result, as the last step may.
  const heard = (step) => step.progress < (step.total ?? Infinity) && progress.push(step);
  const options = { timeout: 120_000, onprogress: heard };
  try {
    return { result: await client.request({ method, params }, ResultSchema, options), progress };
  } catch (e) {
    if (!(e instanceof McpError)) {
      throw e;
    }
    return { error: { code: e.code, message: e.message, data: e.data }, progress };
  }
}

async function answers(client, asked) {
  const given = [];
  for (const request of asked) {
    given.push({ request, ...(await answer(client, request)) });
  }
  return given;
}

async function story(server) {
  const client = new Client({ name: "oracle", version: "1" });
  await client.connect(transport(server), { timeout: 600_000 });
  try {
    const { tools, prompts, resources } = client.getServerCapabilities();
    return {
      server: client.getServerVersion(),
      instructions: client.getInstructions() ?? null,
      tools: tools ? await list(client, "tools/list", "tools") : null,
      prompts: prompts ? await list(client, "prompts/list", "prompts") : null,
      resources: resources ? await list(client, "resources/list", "resources") : null,
      templates: resources ? await list(client, "resources/templates/list", "resourceTemplates") : null,
      answers: await answers(client, requests[server.name] ?? []),
    };
  } finally {
    await client.close();
  }
}

const found = {};
for (const server of servers) {
  found[server.name] = await story(server);
}
process.stdout.write(JSON.stringify(found));
