// Lists the tools of every server of a servers.json with the official TypeScript client, one object per
// server on stdout: {"NAME": {"protocol": "...", "tools": [...]}}.
//
//   node list-tools.mjs SERVERS_JSON WORK_DIR
//
// Runs in a folder where @modelcontextprotocol/sdk is installed.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';

const [serversFile, work] = process.argv.slice(2);
const { servers } = JSON.parse(readFileSync(serversFile, 'utf8').replaceAll('${WORK}', work));

async function toolsOf(server) {
  const transport = new StdioClientTransport({
    command: server.command,
    args: server.args,
    env: { ...getDefaultEnvironment(), ...server.env },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'oracle', version: '1' });
  await client.connect(transport, { timeout: 600_000 });
  try {
    const tools = [];
    let cursor;
    do {
      const page = await client.listTools({ cursor }, { timeout: 60_000 });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    return { protocol: transport._protocolVersion ?? null, tools };
  } finally {
    await client.close();
  }
}

const found = {};
for (const server of servers) {
  found[server.name] = await toolsOf(server);
}
process.stdout.write(JSON.stringify(found));
