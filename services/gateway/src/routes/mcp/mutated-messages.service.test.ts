import { discover } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import { pushRecord } from '@action-platform/contracts/operations';
import { SpanReceiver } from '@action-platform/testing';
import { edited, edits } from '@action-platform/testing/arbitraries';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { McpClient, MODERN, modernMeta } from '../../test/mcp-client.ts';
import { gatewayWithStandIns, json } from '../../test/stand-ins.ts';

/** `FUZZ_RUNS=10000` looks for more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);
jest.setTimeout(60_000 + 200 * RUNS);

const SECRET = 'a-text-of-the-caller';
const environment = { LOG_LEVEL: 'debug', TRACES_ALL_PER_SECOND: '100000', TRACES_SHARE: '1' };
let receiver: SpanReceiver;
beforeAll(async () => {
  receiver = await SpanReceiver.start();
  Object.assign(environment, receiver.environment);
});
afterAll(() => receiver.stop());
const { harness, standIns } = gatewayWithStandIns([pushRecord], environment, 'as a process');
/** The messages whose arguments the service could read. */
let executed = 0;
const utf8 = new TextDecoder('utf-8', { fatal: true });

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

const headerEdits = fc.array(
  fc.tuple(
    fc.constantFrom('MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'),
    fc.constantFrom(undefined, MODERN, '2025-03-26', '2099-01-01', 'tools/call', 'tools/list', NAME, 'x'),
  ),
  { maxLength: 2 },
);

/** The answers that docs/mcp.md has for messages: the HTTP status with the code of a JSON-RPC error. */
const documented = [
  '200 result',
  '200 -32601',
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
  standIns.answers.set(discover.subject, json({ operations: [pushRecord.id] }));
  standIns.answers.set(pushRecord.subject, async ({ body }) => {
    try {
      JSON.parse(utf8.decode(body));
    } catch {
      return new ActionError('invalid_json');
    }
    executed++;
    return json({ result: {} });
  });
  const client = new McpClient(harness, harness.token);
  await fc.assert(
    fc.asyncProperty(
      messages,
      edits([...'{}[]",:\\/0e-. tn_'], 3),
      headerEdits,
      async (sent, changes, changedHeaders) => {
        const headers: Record<string, string> = { ...sent.headers };
        for (const [name, value] of changedHeaders) {
          if (value === undefined) delete headers[name];
          else headers[name] = value;
        }
        const body = Buffer.from(edited(sent.body.toString('latin1'), changes), 'latin1');
        executed = 0;
        const answer = await client.post(body, headers);
        const { result, error } = answer.body as { result?: object; error?: { code: number } };
        const outcome = result !== undefined ? 'result' : (error?.code ?? 'nothing');
        expect(documented).toContain(`${answer.status} ${outcome}`);
        if (executed > 0) requireAgreement(headers, body);
      },
    ),
    { numRuns: RUNS },
  );
  const { process } = harness;
  process!.signal('SIGTERM');
  await process!.exited;
  const log = process!.lines.join('\n');
  const telemetry = receiver.texts.join('\n');
  expect(log).toContain('"operation":"record_store.push_record"');
  expect(receiver.spans.filter(({ name }) => name === `tools/call ${NAME}`)).not.toEqual([]);
  expect(telemetry).toContain('mcp.server.operation.duration');
  for (const secret of [SECRET, harness.token.slice(-40)]) {
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
