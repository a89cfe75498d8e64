import { authorize, discover } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import {
  type Deprecation,
  getRecord,
  type Operation,
  operations,
  pushRecord,
} from '@action-platform/contracts/operations';
import { describe, expect, test } from '@jest/globals';
import { gatewayOffering } from '../service.ts';
import { expectError } from '../test/harness.ts';
import { gatewayWithStandIns, json } from '../test/stand-ins.ts';

const deprecation: Deprecation = {
  deprecatedAt: '2026-03-01T00:00:00Z',
  sunsetAt: '2027-03-01T12:00:00Z',
  migration: { operationId: 'record_store.replace_record', note: 'It takes a record_id.' },
};
const offered = new Map<string, Operation>(operations).set(pushRecord.id, { ...pushRecord, deprecation });
const { harness, standIns } = gatewayWithStandIns([pushRecord, getRecord], {}, gatewayOffering(offered));

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
  const pushed = pushRecord.subject;
  test.each([
    ['with its outcome', pushed, json({ result: {} }), 200],
    ['when it refuses the input', pushed, new ActionError('record_store_payload_too_large'), 400],
    ['to a caller who may not use it', authorize.subject, new ActionError('grant_scope_exceeded'), 403],
  ])('%s', async (_when, subject, answer, status) => {
    standIns.answers.set(subject, answer);
    const answered = await harness.execute(harness.token, pushRecord, {});
    expect(answered.status).toBe(status);
    expect(answered.headers).toMatchObject(ANNOUNCEMENT);
  });

  test('to a caller without a token, as it is public', async () => {
    const answer = await harness.http.post(`/api/v1/operations/${pushRecord.id}`).send('{}');
    expectError(answer, 'authentication_required');
    expect(answer.headers).toMatchObject(ANNOUNCEMENT);
  });

  test('in discovery', async () => {
    standIns.answers.set(discover.subject, json({ operations: [getRecord.id, pushRecord.id] }));
    const { body } = await harness.http.get('/api/v1/operations').auth(harness.token, { type: 'bearer' });
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
  standIns.answers.set(getRecord.subject, json({ result: {} }));
  const { headers } = await harness.execute(harness.token, getRecord, {});
  for (const name of Object.keys(ANNOUNCEMENT)) expect(headers).not.toHaveProperty(name);
});
