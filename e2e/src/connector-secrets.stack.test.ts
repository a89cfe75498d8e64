import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@action-platform/contracts/audit';
import type { Demo } from '@action-platform/local';
import { makeTestFolder, type Received, Receiver } from '@action-platform/testing';
import { Caller, execute } from '@action-platform/testing/http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
/** Every secret begins with it; and every value of a call, which no record of the call may have either. */
const [SECRET, VALUE] = ['secret-marker-0123456789', 'value-marker-0123456789'];
/** An API, an MCP server and a token endpoint, which repeat in every answer what they got. */
let upstream: Receiver;
let demo: Demo;
beforeAll(async () => {
  upstream = await Receiver.start((received, response) => answer(received, response));
  demo = await stack.workspace();
});
afterAll(() => upstream.stop());

function answer({ path, headers, body }: Received, response: ServerResponse): void {
  const send = (status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (path === '/token') return void send(200, { access_token: `${SECRET}-token` });
  if (path === '/no-token') return void send(401, { error_description: `${SECRET}-said` });
  const said = JSON.stringify(headers) + body;
  if (!path.startsWith('/mcp')) return void send(path.endsWith('/fails') ? 500 : 400, { message: said });
  const { id, method } = JSON.parse(body) as { id: number; method: string };
  const tool = { name: 'refund', description: 'Refunds.', inputSchema: { type: 'object' } };
  const text = { isError: true, content: [{ type: 'text', text: said }] };
  const result = { resultType: 'complete', ...(method === 'tools/list' ? { tools: [tool] } : text) };
  return void send(200, { jsonrpc: '2.0', id, result });
}

/** A connector of each kind with each form of `auth`. */
function connectors() {
  const origin = new URL(upstream.url).origin;
  const secret = `${SECRET}-itself`;
  const auths = {
    none: { type: 'none' },
    bearer: { type: 'bearer', secret },
    header: { type: 'header', name: 'X-Api-Key', secret },
    basic: { type: 'basic', login: 'platform', secret },
    client: { type: 'client_credentials', tokenUrl: `${origin}/token`, clientId: 'c', secret },
    platform: { type: 'platform' },
  };
  const named = (kind: 'http' | 'mcp', type: string, auth: object) => ({
    name: `${kind}_${type}`,
    kind,
    baseUrl: `${origin}/${kind}`,
    auth,
  });
  return [
    ...Object.entries(auths).flatMap(([type, auth]) => [named('http', type, auth), named('mcp', type, auth)]),
    named('http', 'refused', { ...auths.client, tokenUrl: `${origin}/no-token` }),
  ];
}

test('no secret of a connector and no value of a call is in an answer, a log, a trace, an event, the audit log or an export', async () => {
  const { workspace_id, owner, base_url } = demo;
  const owning = new Caller(base_url, await stack.operator.freshToken(workspace_id, owner.user_id));
  const seen: string[] = [];
  const ids: { readonly operation: string; readonly connector: string; readonly requestId: string }[] = [];
  for (const { name, ...connector } of connectors()) {
    const path = `/api/v1/connectors/${name}`;
    const made = await owning.request('PUT', path, connector);
    const tools = connector.kind === 'mcp' ? (await owning.request('GET', `${path}/tools`)).tools : [];
    seen.push(JSON.stringify([made, tools, await owning.request('POST', `${path}/check`)]));
    const targets =
      connector.kind === 'mcp'
        ? [{ tool: 'refund', digest: tools[0].digest }]
        : [
            { method: 'post', path: '/refuses' },
            { method: 'post', path: '/fails' },
          ];
    for (const [index, target] of targets.entries()) {
      const id = `custom.${name}_${index}`;
      const { operation } = await owning.request('PUT', `/api/v1/custom-operations/${id}`, {
        ...{ title: 'Refund', description: 'Refunds.', effect: 'write', availability: 'workspace_member' },
        target: { connector: name, ...target },
        inputSchema: {
          type: 'object',
          additionalProperties: false,
          properties: { note: { type: 'string' } },
        },
      });
      const called = await execute(base_url, demo.member.token, id, { note: VALUE, idempotency_key: 'k' });
      const outcome = index === 0 ? 'custom_operation_refused' : 'custom_endpoint_failed';
      expect(called.code).toBe(name === 'http_refused' ? 'custom_endpoint_unavailable' : outcome);
      seen.push(called.text.replaceAll(VALUE, ''));
      const requestId = String(called.headers['x-request-id']);
      ids.push({ operation: operation.definitionId, connector: made.connector.id, requestId });
    }
  }
  expect(
    upstream.received.filter(({ headers }) => JSON.stringify(headers).includes(SECRET)).length,
  ).toBeGreaterThan(8);

  const entries = await entriesOf(owning, ids.length);
  for (const { operation, connector, requestId } of ids) {
    const entry = entries.find((each) => each.request_id === requestId);
    expect(entry?.targets).toEqual(expect.arrayContaining([operation, connector]));
  }
  const file = join(makeTestFolder(), 'export.ndjson');
  await stack.admin('workspace', 'export', '--workspace', workspace_id, '--to', file);
  const events = await execute(base_url, owner.token, 'events.list_events', { limit: 200 });
  const logs = join(stack.directory, 'logs');
  const traces = await Promise.all(ids.slice(0, 4).map(({ requestId }) => stack.admin('trace', requestId)));
  const records: Readonly<Record<string, string>> = {
    answers: seen.join('\n'),
    audit: JSON.stringify(entries),
    events: events.text,
    export: readFileSync(file, 'utf8'),
    traces: JSON.stringify(traces),
    logs: readdirSync(logs)
      .map((name) => readFileSync(join(logs, name), 'latin1'))
      .join('\n'),
  };
  const needed = {
    events: 'connector.changed',
    export: '"connector"',
    traces: 'call endpoint',
    logs: 'custom-operations',
  };
  for (const [name, text] of Object.entries(needed)) expect(`${name} ${records[name]}`).toContain(text);
  // Also access tokens, and the tokens of the platform.
  const sent = upstream.received.flatMap(
    ({ headers: { authorization } }) => authorization?.split(' ')[1] ?? [],
  );
  expect(sent.length).toBeGreaterThan(8);
  const markers = new Set([SECRET, VALUE, ...sent]);
  for (const [name, text] of Object.entries(records))
    expect([name, [...markers].filter((marker) => text.includes(marker))]).toEqual([name, []]);
});

/** The audit entries of calls, once so many of custom operations are stored. */
async function entriesOf(owning: Caller, count: number): Promise<readonly AuditEntry[]> {
  for (;;) {
    const { entries } = await owning.execute('audit.list_entries', { limit: 200 });
    const ofCalls = (entries as AuditEntry[]).filter(({ operation }) => operation.startsWith('custom.'));
    if (ofCalls.length >= count) return entries;
    await delay(200);
  }
}
