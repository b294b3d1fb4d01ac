// An MCP server over standard streams for the tests of containers. Its tools try what a hostile
// server would try, and report the result. It needs nothing but Node.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import readline from 'node:readline';

const attempt = action => {
  try {
    return `done: ${action() ?? ''}`;
  } catch (e) {
    return `refused: ${e.code ?? e.message}`;
  }
};

const connect = ({ host, port, timeout = 2000 }) =>
  new Promise(resolve => {
    const socket = net.connect({ host, port, timeout });
    let received = '';
    socket.on('data', data => (received += data));
    socket.on('end', () => resolve(`done: ${received}`));
    socket.on('timeout', () => {
      socket.destroy();
      resolve('refused: timeout');
    });
    socket.on('error', e => resolve(`refused: ${e.code}`));
  });

// Each child stays, so that the limit is reached.
const fork = ({ count }) => {
  const children = [];
  let failure = '';
  for (let i = 0; i < count && !failure; i++) {
    const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
    child.on('error', () => {});
    if (child.pid === undefined) failure = 'EAGAIN';
    else children.push(child);
  }
  const started = children.length;
  children.forEach(child => child.kill('SIGKILL'));
  return `${started} started${failure && `, then refused: ${failure}`}`;
};

const hoard = [];
const allocate = ({ mebibytes }) => {
  for (let i = 0; i < mebibytes; i++) hoard.push(Buffer.alloc(1024 * 1024, 1));
  return `${hoard.length} MiB`;
};

let deaf = false;

const tools = {
  echo: ({ text }) => text,
  environment: ({ name }) => process.env[name] ?? '',
  identity: () =>
    fs
      .readFileSync('/proc/self/status', 'utf8')
      .split('\n')
      .filter(line => /^(Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp):/.test(line))
      .join('\n'),
  read: ({ path }) => attempt(() => fs.readFileSync(path, 'utf8')),
  list: ({ path }) => attempt(() => fs.readdirSync(path).join(' ')),
  write: ({ path, text = 'x' }) => attempt(() => fs.writeFileSync(path, text)),
  run: ({ command }) => {
    const { status, signal, stdout, stderr, error } = spawnSync(command[0], command.slice(1));
    return error ? `refused: ${error.code}` : `${signal ?? status}: ${stdout}${stderr}`;
  },
  become_root: () => attempt(() => process.setuid(0)),
  connect,
  fork,
  allocate,
  // Nothing but SIGKILL ends it from now on.
  ignore_end: () => {
    deaf = true;
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);
    return 'deaf';
  },
  flood: ({ mebibytes }) => {
    const line = `${'x'.repeat(1023)}\n`.repeat(1024);
    for (let i = 0; i < mebibytes; i++) process.stdout.write(line);
    return `${mebibytes} MiB of noise`;
  },
  exit: ({ code }) => process.exit(code),
};

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const answers = {
  initialize: params => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'orloj-test', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(tools).map(name => ({ name, inputSchema: { type: 'object' } })),
  }),
  'tools/call': async ({ name, arguments: args = {} }) => ({
    content: [{ type: 'text', text: String(await tools[name](args)) }],
  }),
};

console.error('test server started');
readline
  .createInterface({ input: process.stdin })
  .on('line', async line => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    try {
      send({ id, result: await answers[method](params ?? {}) });
    } catch (e) {
      send({ id, error: { code: -32603, message: String(e) } });
    }
  })
  .on('close', () => deaf || process.exit(0));
