import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@action-platform/contracts/audit';
import { setQuota } from '@action-platform/contracts/calls';
import { listEntries } from '@action-platform/contracts/operations';
import type { Demo } from '@action-platform/local';
import { type Answer, createGrant, execute, send } from '@action-platform/testing/http';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { callTool } from './mcp.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
let here: Demo;
let collectionId: string;
beforeAll(async () => {
  here = await stack.workspace();
  const input = { name: 'audited', member_writes_enabled: true };
  collectionId = (await call('record_store.create_collection', input)).json.result.collection.id;
});

interface Sent {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly gateway?: number;
}

const call = (
  operation: string,
  body: object | string,
  { token = here.owner.token, headers, gateway = 0 }: Sent = {},
) => execute(stack.gateways[gateway]!, token, operation, body, headers);
const push = (more: object, sent?: Sent) =>
  call('record_store.push_record', { collection_id: collectionId, payload: {}, ...more }, sent);
const get = (query: string, headers = {}, token = here.owner.token) =>
  send(here.base_url, { method: 'GET', path: `/api/v1/audit/${query}`, token, headers });
const requestOf = ({ headers }: Answer) => String(headers['x-request-id']);

/** The entries of a search, as soon as it finds this many. */
async function found(filters: object, count = 1): Promise<AuditEntry[]> {
  for (let entries: AuditEntry[] = []; ; await delay(100)) {
    ({ entries } = (await call(listEntries.id, filters)).json.result);
    if (entries.length >= count) return entries;
  }
}

describe('a call leaves exactly one entry', () => {
  test('that wrote, with what it made; so does its repetition', async () => {
    const answers = [
      await push({ idempotency_key: 'a' }),
      await push({ idempotency_key: 'a' }, { gateway: 1 }),
    ];
    const record = answers[0]!.json.result.record.id;
    const expected = {
      ...{ user_id: here.owner.user_id, via: 'session', operation: 'record_store.push_record' },
      ...{ targets: [collectionId, record], status: 200, code: 'ok', outcome: 'done', answered: true },
      at: expect.any(String),
    };
    expect(await found({ target_id: record }, 2)).toEqual([
      { ...expected, request_id: requestOf(answers[1]!), replayed: true },
      { ...expected, request_id: requestOf(answers[0]!), replayed: false },
    ]);
  });

  test('that was refused: by grants, by the gateway, by a service, over the Model Context Protocol', async () => {
    const { token, user_id } = here.member;
    const stranger = await stack.operator.token(here.workspace_id, 'stranger');
    const absent = { collection_id: collectionId, record_id: 'hush' };
    const asTool = { gateway: here.base_url, token: here.owner.token };
    const refused: [Answer, Partial<AuditEntry>][] = [
      [
        await call('record_store.create_collection', { name: 'x' }, { token }),
        { code: 'owner_role_required', status: 403, user_id, targets: [] },
      ],
      [
        await call('no.such_operation', {}),
        { code: 'unknown_operation', operation: 'POST /api/v1/operations/{operationId}' },
      ],
      [await call('record_store.push_record', '{'), { code: 'invalid_json', targets: [] }],
      [await push({ secret: 'hush' }), { code: 'invalid_request', status: 400, targets: [] }],
      [
        await call('record_store.get_record', absent),
        { code: 'record_store_record_not_found', targets: [collectionId] },
      ],
      [
        await call('record_store.get_record', {}, { token: stranger }),
        { code: 'workspace_membership_required', user_id: 'stranger' },
      ],
      [
        await callTool(asTool, 'record_store.push_record', { nonsense: 1 }),
        { code: 'invalid_request', operation: 'record_store.push_record', status: 400 },
      ],
    ];
    for (const [answer, entry] of refused)
      expect(await found({ request_id: requestOf(answer) })).toMatchObject([
        { outcome: 'refused', ...entry },
      ]);
  });

  test('that was made with a grant, alive or revoked, and on the routes of grants', async () => {
    const { base_url, owner } = here;
    const operationScope = 'record_store.push_record';
    const operation = await createGrant(base_url, owner.token, { operationScope });
    const routine = await createGrant(base_url, owner.token, {
      ...{ name: 'job', operations: [operationScope], data: { collectionIds: [collectionId] } },
      maximumCadence: { invocations: 10, periodSeconds: 60 },
    });
    await push({}, { token: operation.secret });
    await push({}, { token: routine.secret, headers: { 'x-routine-invocation-id': 'run-7' } });
    await call('record_store.get_record', {}, { token: operation.secret });
    const path = `/api/v1/operation-grants/${operation.id}`;
    await send(base_url, { method: 'DELETE', path, token: owner.token });
    await push({}, { token: operation.secret });

    expect((await found({ grant_id: routine.id, invocation_id: 'run-7' }))[0]).toMatchObject({
      ...{ via: 'routine_grant', grant_name: 'job', user_id: owner.user_id, code: 'ok', outcome: 'done' },
    });
    const used = await found({ grant_id: operation.id }, 3);
    expect(used.map(({ code }) => code)).toEqual(['grant_revoked', 'grant_scope_exceeded', 'ok']);
    for (const entry of used) expect(entry).toMatchObject({ via: 'operation_grant', user_id: owner.user_id });
    const managed = await found({ target_id: operation.id }, 2);
    expect(managed.map(({ operation: route, status }) => [route, status])).toEqual([
      ['DELETE /api/v1/operation-grants/{id}', 200],
      ['POST /api/v1/operation-grants', 201],
    ]);
  });

  test('of an Owner about a Member, found by the user id, whatever its form; so is that of a refusal', async () => {
    const { base_url, owner } = here;
    const userId = 'mika, "ö"';
    const one = `/api/v1/members/${encodeURIComponent(userId)}`;
    const own = `/api/v1/members/${encodeURIComponent(owner.user_id)}`;
    const made = [
      ['POST', '/api/v1/members', { userId }],
      ['PATCH', one, { displayName: 'Mika' }],
      ['DELETE', one, undefined],
      ['DELETE', own, undefined],
    ] as const;
    for (const [method, path, body] of made) await send(base_url, { method, path, token: owner.token, body });
    const entries = await found({ target_id: userId }, 3);
    expect(entries.map(({ operation, targets, code }) => [operation, targets, code])).toEqual([
      ['DELETE /api/v1/members/{userId}', [userId], 'ok'],
      ['PATCH /api/v1/members/{userId}', [userId], 'ok'],
      ['POST /api/v1/members', [userId], 'ok'],
    ]);
    expect(await found({ target_id: owner.user_id, code: 'last_owner' })).toHaveLength(1);
  });

  test('of an operator, in the Workspace that it is about', async () => {
    await stack.operator.call(setQuota, { workspace: here.workspace_id, bytes: 1_000_000_000 });
    const [entry] = await found({ operation_id: 'quota set' });
    expect(entry).toMatchObject({ via: 'operator', code: 'ok', answered: true });
  });
});

describe('the log', () => {
  test('is listed page by page, each entry once', async () => {
    const { entries: all } = (await call(listEntries.id, { limit: 200 })).json.result;
    const to = new Date(Date.parse(all[0].at) + 1).toISOString();
    const listed: AuditEntry[] = [];
    for (let cursor: string | undefined; cursor !== null; ) {
      const page = (await call(listEntries.id, { to, limit: 7, ...(cursor && { cursor }) })).json.result;
      listed.push(...page.entries);
      cursor = page.next_cursor;
    }
    expect(listed.length).toBeGreaterThanOrEqual(all.length);
    expect(new Set(listed.map((entry) => JSON.stringify(entry))).size).toBe(listed.length);
  });

  test('is exported as lines of JSON and as CSV, without formulas', async () => {
    const user = '=cmd()';
    const token = await stack.operator.member(here.workspace_id, user, 'member');
    const refused = await call('record_store.create_collection', { name: 'x' }, { token });
    await found({ request_id: requestOf(refused) });
    const query = `entries?request_id=${requestOf(refused)}`;
    const lines = await get(query);
    expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(lines.json).toMatchObject({ user_id: user });
    const head = await fetch(`${here.base_url}/api/v1/audit/${query}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${here.owner.token}` },
    });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, lines.headers['content-type']]);
    const csv = await get(query, { Accept: 'text/csv' });
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
    });
    expect(csv.text.split('\r\n')[1]).toContain(`,'${user},session,`);
    expect((await get('entries?format=csv&user_id=nobody')).text.split('\r\n')).toHaveLength(2);
    expect((await get('entries?user_id=nobody')).text).toBe('');
    const invalid = await get('entries?from=yesterday');
    expect([invalid.code, invalid.headers['content-disposition']]).toEqual(['invalid_request', undefined]);
  });

  test('is searched by days of UTC, the last one included', async () => {
    const joined = { operation_id: 'member add', target_id: here.member.user_id };
    const [entry] = await found(joined);
    const [day, before] = [0, 1].map((days) =>
      new Date(Date.parse(entry!.at) - days * 86_400_000).toISOString().slice(0, 10),
    );
    expect(await found({ ...joined, from: day, to: day })).toHaveLength(1);
    expect(await found({ ...joined, to: before }, 0)).toEqual([]);
    expect((await call(listEntries.id, { from: '2026-02-30' })).code).toBe('invalid_request');
  });

  test('is verified, for an Owner and an operator', async () => {
    const { valid, blocks, entries } = (await get('verification')).json;
    expect([valid, blocks > 0, entries >= blocks]).toEqual([true, true, true]);
    for (const query of ['verification', 'entries'])
      expect((await get(query, {}, here.member.token)).code).toBe('owner_role_required');
    const result = await stack.admin('audit', 'verify', '--workspace', here.workspace_id);
    expect(result).toMatchObject({ valid: true, found: [], first_block: 0 });
  });
});
