// What an agent does with an endpoint that asks for a login, with an official TypeScript client: it begins OAuth at the 401, goes through the
// authorization code with PKCE like a browser whose user is logged in already, and calls a tool. Prints the answer and what it sent, as JSON.
//
//   node login-story.mjs older|newer URL CLIENT_ID TOOL
//
// Runs in a folder where @modelcontextprotocol/sdk and @modelcontextprotocol/client are installed.
import * as newer from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [line, target, clientId, tool] = process.argv.slice(2);
const redirect = "http://127.0.0.1:9/callback";
const kept = { requests: 0, refused: 0 };

const provider = {
  redirectUrl: redirect,
  clientMetadata: {
    client_name: "story",
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client ?? { client_id: clientId },
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  saveDiscoveryState: (state) => void (kept.discovery = state),
  discoveryState: () => kept.discovery,
  redirectToAuthorization: async (url) => {
    kept.authorization = url;
    const answer = await fetch(url, { redirect: "manual" });
    kept.answer = new URL(answer.headers.get("location")).searchParams;
  },
};

const counting = async (url, init) => {
  const answer = await fetch(url, init);
  if (String(url) === target) {
    kept.requests++;
    kept.refused += answer.status === 401 ? 1 : 0;
  }
  return answer;
};

const transport = () =>
  line === "newer"
    ? new newer.StreamableHTTPClientTransport(new URL(target), { authProvider: provider, fetch: counting })
    : new StreamableHTTPClientTransport(new URL(target), { authProvider: provider, fetch: counting });
const client = () =>
  line === "newer"
    ? new newer.Client({ name: "story", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
    : new Client({ name: "story", version: "1" });

async function connect() {
  const first = transport();
  try {
    await client().connect(first);
  } catch (e) {
    if (!kept.answer) throw e;
  }
  await (line === "newer" ? first.finishAuth(kept.answer) : first.finishAuth(kept.answer.get("code")));
  const connected = client();
  await connected.connect(transport());
  return connected;
}

const story = {};
try {
  const connected = await connect();
  const result = await connected.callTool({ name: tool, arguments: {} });
  story.result = result.content[0].text;
  await connected.close();
} catch (e) {
  story.error = e.constructor.name;
}
const asked = kept.authorization?.searchParams;
story.resource = asked?.get("resource");
story.scope = asked?.get("scope");
story.challenge = asked?.get("code_challenge_method");
story.refused = kept.refused;
console.log(JSON.stringify(story));
process.exit(0);
