import {
  ActionError,
  authorize,
  discover,
  operationSubject,
  pushRecord,
  toolName,
} from '@action-platform/contracts';
import { anOwner, SpanReceiver, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { GatewayHarness } from '../../test/harness.ts';
import { McpClient, MODERN, modernMeta } from '../../test/mcp-client.ts';
import { json, StandIns } from '../../test/stand-ins.ts';

/** `FUZZ_RUNS=10000` looks for more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);
jest.setTimeout(60_000 + 200 * RUNS);

const harness = new GatewayHarness();
const standIns = new StandIns();
const pushed = operationSubject(pushRecord);
const SECRET = 'a-text-of-the-caller';
let token: string;
let client: McpClient;
let gateway: TestProcess;
let receiver: SpanReceiver;
/** The messages whose arguments the service could read. */
let executed = 0;
const utf8 = new TextDecoder('utf-8', { fatal: true });

beforeAll(async () => {
  await harness.issuer.start();
  receiver = await SpanReceiver.start();
  const everySpan = { ...receiver.environment, TRACES_ALL_PER_SECOND: '100000', TRACES_SHARE: '1' };
  gateway = await harness.spawn({ LOG_LEVEL: 'debug', ...everySpan });
  await standIns.start(harness.platform, [pushRecord]);
  standIns.answers.set(authorize.subject, json(anOwner()));
  standIns.answers.set(discover.subject, json({ operations: [pushRecord.id] }));
  standIns.answers.set(pushed, async ({ body }) => {
    try {
      JSON.parse(utf8.decode(body));
    } catch {
      return new ActionError('invalid_json');
    }
    executed++;
    return json({ result: {} });
  });
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
  client = new McpClient(harness, token);
});
afterAll(async () => {
  await harness.stop();
  receiver.stop();
});

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly headers: Headers;
  readonly body: Buffer;
}

const NAME = toolName(pushRecord.id);
const call = { name: NAME, arguments: { collection_id: SECRET, payload: { a: [1, '\u00e9"\\'] } } };
const message = (method: string, params: object, id: unknown = 1) =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
const modern = (method: string, params: object, more: Headers = {}): Sent => ({
  headers: { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method, ...more },
  body: message(method, { ...params, _meta: modernMeta }),
});
const legacy = (method: string, params: object, id?: unknown): Sent => ({
  headers: { 'MCP-Protocol-Version': '2025-11-25' },
  body: message(method, params, id),
});

const messages = fc.oneof(
  { weight: 4, arbitrary: fc.constant(modern('tools/call', call, { 'Mcp-Name': NAME })) },
  { weight: 2, arbitrary: fc.constant(legacy('tools/call', call, 'é')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      modern('tools/list', {}),
      modern('server/discover', {}),
      // Any name that a caller sends may be a secret by mistake.
      modern(SECRET, {}),
      legacy('tools/call', { name: SECRET }, SECRET),
      legacy('initialize', { protocolVersion: SECRET, clientInfo: { name: SECRET } }),
      legacy('initialize', { protocolVersion: '2025-06-18', capabilities: {} }),
      legacy('ping', {}),
      legacy('notifications/initialized', {}, undefined),
    ),
  },
);

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('change', 'add', 'take out', 'cut off', 'repeat'),
    byte: fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\/0e-. tn_')), fc.nat(255)),
  }),
  { maxLength: 3 },
);

const headerEdits = fc.array(
  fc.tuple(
    fc.constantFrom('MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'),
    fc.constantFrom(undefined, MODERN, '2025-03-26', '2099-01-01', 'tools/call', 'tools/list', NAME, 'x'),
  ),
  { maxLength: 2 },
);

function edited(body: Buffer, changes: readonly { at: number; kind: string; byte: number }[]): Buffer {
  let bytes = [...body];
  for (const { at, kind, byte } of changes) {
    const index = Math.floor(at * bytes.length);
    if (kind === 'change') bytes[index] = byte;
    else if (kind === 'add') bytes.splice(index, 0, byte);
    else if (kind === 'take out') bytes.splice(index, 1);
    else if (kind === 'repeat') bytes.splice(index, 0, ...bytes.slice(index, index + 20));
    else bytes = bytes.slice(0, index);
  }
  return Buffer.from(bytes);
}

/** The answers that docs/mcp.md has for messages: the HTTP status with the code of a JSON-RPC error. */
const documented = [
  '200 result',
  '200 -32602',
  '202 nothing',
  '400 -32700',
  '400 -32600',
  '400 -32602',
  '400 -32020',
  '400 -32022',
  '404 -32601',
];

test(`${RUNS} mutated messages get documented answers, and none is executed whose headers differ`, async () => {
  await fc.assert(
    fc.asyncProperty(messages, edits, headerEdits, async (sent, changes, changedHeaders) => {
      const headers: Record<string, string> = { ...sent.headers };
      for (const [name, value] of changedHeaders) {
        if (value === undefined) delete headers[name];
        else headers[name] = value;
      }
      const body = edited(sent.body, changes);
      executed = 0;
      const answer = await client.post(body, headers);
      const { result, error } = answer.body as { result?: object; error?: { code: number } };
      const outcome = result !== undefined ? 'result' : (error?.code ?? 'nothing');
      expect(documented).toContain(`${answer.status} ${outcome}`);
      if (executed > 0) requireAgreement(headers, body);
    }),
    { numRuns: RUNS },
  );
  gateway.signal('SIGTERM');
  await gateway.exited;
  const log = gateway.lines.join('\n');
  const telemetry = receiver.texts.join('\n');
  expect(log).toContain('"operation":"record_store.push_record"');
  expect(receiver.spans.filter(({ name }) => name === `tools/call ${NAME}`)).not.toEqual([]);
  expect(telemetry).toContain('mcp.server.operation.duration');
  for (const secret of [SECRET, token.slice(-40)]) {
    expect(log).not.toContain(secret);
    expect(telemetry).not.toContain(secret);
  }
});

/** Expects an executed message to be JSON for everybody, and its headers to have the values of its body. */
function requireAgreement(headers: Headers, body: Buffer): void {
  const { method, params } = JSON.parse(body.toString());
  expect([method, params.name]).toEqual(['tools/call', NAME]);
  const version = params._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (version === undefined) {
    expect(headers['MCP-Protocol-Version']).not.toBe(MODERN);
    return;
  }
  expect(headers).toMatchObject({
    'MCP-Protocol-Version': version,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': NAME,
  });
}
