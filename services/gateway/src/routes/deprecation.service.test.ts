import type { BusAnswer } from '@action-platform/bus';
import {
  ActionError,
  authorize,
  type Deprecation,
  discover,
  getRecord,
  type Operation,
  operationSubject,
  operations,
  pushRecord,
} from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gatewayOffering } from '../service.ts';
import { expectError, GatewayHarness } from '../test/harness.ts';

const deprecation: Deprecation = {
  deprecatedAt: '2026-03-01T00:00:00Z',
  sunsetAt: '2027-03-01T12:00:00Z',
  migration: { operationId: 'record_store.replace_record', note: 'It takes a record_id.' },
};
const offered = new Map<string, Operation>(operations).set(pushRecord.id, { ...pushRecord, deprecation });

const harness = new GatewayHarness();
let token: string;
/** The next answers of grants and of the record store. */
let authority: BusAnswer;
let outcome: BusAnswer;

beforeAll(async () => {
  await harness.start({}, gatewayOffering(offered));
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
  const grants = await harness.platform.connect('grants');
  grants.serve(authorize.subject, 'grants', () => Promise.resolve(authority));
  grants.serve(discover.subject, 'grants', () =>
    Promise.resolve(json({ operations: [getRecord.id, pushRecord.id] })),
  );
  const recordStore = await harness.platform.connect('record-store');
  for (const operation of [pushRecord, getRecord])
    recordStore.serve(operationSubject(operation), 'record-store', () => Promise.resolve(outcome));
  await Promise.all([grants.flush(), recordStore.flush()]);
});
afterAll(() => harness.stop());

const json = (body: object, status = 200): BusAnswer => ({
  status,
  body: new TextEncoder().encode(JSON.stringify(body)),
});
const refusal = (error: ActionError) => json(error.toEnvelope('req_1'), error.status);

const ANNOUNCEMENT = {
  // 2026-03-01T00:00:00Z in seconds since the epoch.
  deprecation: '@1772323200',
  sunset: 'Mon, 01 Mar 2027 12:00:00 GMT',
  link: [
    '</docs#/record_store/record_store.push_record>; rel="deprecation"; type="text/html"',
    '</docs#/record_store/record_store.push_record>; rel="sunset"; type="text/html"',
    '</api/v1/operations/record_store.replace_record>; rel="successor-version"',
  ].join(', '),
};

describe('a deprecation notice is sent', () => {
  test('with its outcome', async () => {
    authority = json(anOwner());
    outcome = json({ result: {} });
    const answer = await harness.execute(token, pushRecord, {});
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(ANNOUNCEMENT);
  });

  test('when it refuses the input', async () => {
    authority = json(anOwner());
    outcome = refusal(new ActionError('record_store_payload_too_large'));
    const answer = await harness.execute(token, pushRecord, {});
    expect(answer.status).toBe(400);
    expect(answer.headers).toMatchObject(ANNOUNCEMENT);
  });

  test('to a caller who may not use it', async () => {
    authority = refusal(new ActionError('grant_scope_exceeded'));
    const answer = await harness.execute(token, pushRecord, {});
    expect(answer.status).toBe(403);
    expect(answer.headers).toMatchObject(ANNOUNCEMENT);
  });

  test('to a caller without a token, as it is public', async () => {
    const answer = await harness.http.post(`/api/v1/operations/${pushRecord.id}`).send('{}');
    expectError(answer, 'authentication_required');
    expect(answer.headers).toMatchObject(ANNOUNCEMENT);
  });

  test('in discovery', async () => {
    const { body } = await harness.http.get('/api/v1/operations').auth(token, { type: 'bearer' });
    const said = body.operations.map(({ id, deprecation }: Operation) => [id, deprecation]);
    expect(Object.fromEntries(said)).toEqual({ [pushRecord.id]: deprecation, [getRecord.id]: undefined });
  });

  test('in the OpenAPI document', async () => {
    const { paths } = (await harness.http.get('/api/v1/openapi.json')).body;
    const { post } = paths[`/api/v1/operations/${pushRecord.id}`];
    expect(post).toMatchObject({ deprecated: true, 'x-sunset': deprecation.sunsetAt });
    for (const part of [
      deprecation.deprecatedAt,
      deprecation.sunsetAt,
      'record_store.replace_record',
      'It takes',
    ])
      expect(post.description).toContain(part);
    for (const response of Object.values(post.responses as Record<string, { headers: object }>))
      expect(Object.keys(response.headers)).toEqual(
        expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
      );
  });
});

test('other operations send none', async () => {
  authority = json(anOwner());
  outcome = json({ result: {} });
  const { headers } = await harness.execute(token, getRecord, {});
  for (const name of Object.keys(ANNOUNCEMENT)) expect(headers).not.toHaveProperty(name);
});
