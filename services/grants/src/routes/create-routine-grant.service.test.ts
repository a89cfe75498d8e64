import { isGrantSecret } from '@action-platform/contracts/authority';
import { operations } from '@action-platform/contracts/operations';
import { grantRoutes } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import {
  aRoutine,
  expectInvalid,
  inDays,
  KNOWN_COLLECTION,
  KNOWN_SENDER,
  outcomeOf,
  refusal,
  testAuthority,
} from '../test-support/test-authority.ts';

const authority = testAuthority();
const withoutRecordStore = testAuthority({ recordStore: false });

const request = { ...aRoutine, expiresAt: inDays(30) };

/** A data scope with ids of every kind. */
const EVERYTHING = {
  collectionIds: [KNOWN_COLLECTION],
  senderIds: [KNOWN_SENDER],
  fileScopes: ['company' as const],
};

describe('creating a routine grant', () => {
  test('answers the grant and its secret', async () => {
    const member = await authority.member();
    const { grant, secret } = await authority.manage(member, grantRoutes.routine.create, request);
    expect(grant).toEqual({
      id: expect.stringMatching(/^rgr_/),
      kind: 'routine',
      name: request.name,
      ...member,
      operations: request.operations,
      data: { collectionIds: [KNOWN_COLLECTION] },
      outputDefinition: null,
      maximumCadence: request.maximumCadence,
      createdAt: expect.any(String),
      expiresAt: request.expiresAt,
      lastUsedAt: null,
      secretHint: secret!.slice(-4),
      status: 'active',
    });
    expect(secret).toMatch(/^apr_/);
    expect(isGrantSecret(secret!)).toBe(true);
  });

  test('refuses a cadence of more runs than grants stores', async () => {
    const member = await authority.member();
    const creating = (invocations: number) =>
      authority.routineGrant(member, { maximumCadence: { invocations, periodSeconds: 366 * 86_400 } });
    expect((await creating(1_000_000)).grant).toMatchObject({ maximumCadence: { invocations: 1_000_000 } });
    await expectInvalid(creating(1_000_001), 'maximumCadence.invocations: .* 1000000');
  });

  test('counts an id that is named twice once', async () => {
    const { grant } = await authority.routineGrant(await authority.member(), {
      operations: ['record_store.get_record', 'record_store.get_record'],
      data: {
        collectionIds: [KNOWN_COLLECTION, KNOWN_COLLECTION],
        fileScopes: ['company', 'company'],
      },
    });
    expect(grant).toMatchObject({
      operations: ['record_store.get_record'],
      data: { collectionIds: [KNOWN_COLLECTION], fileScopes: ['company'] },
    });
  });

  test('refuses, naming the kind, every operation that reaches data of which the data scope lists none', async () => {
    const owner = await authority.member({ role: 'owner', mail: true });
    const scoped = [...operations.values()].filter(({ dataScope }) => dataScope !== undefined);
    expect(scoped.length).toBeGreaterThan(10);
    for (const { id, dataScope } of scoped) {
      const request = { operations: [id], outputDefinition: 'x' };
      for (const data of [{}, { [dataScope!.kind]: [] }]) {
        const fault = `data.${dataScope!.kind}: must list what ${id} may reach.`;
        await expectInvalid(authority.routineGrant(owner, { ...request, data }), fault);
      }
      expect(await outcomeOf(authority.routineGrant(owner, { ...request, data: EVERYTHING }))).toBe('ok');
    }
  });

  test('accepts create_collection without listed Collections, because it reaches no existing one', async () => {
    const owner = await authority.member({ role: 'owner' });
    const operations = ['record_store.create_collection'];
    expect(await outcomeOf(authority.routineGrant(owner, { operations, data: {} }))).toBe('ok');
  });

  test.each([
    ['Collection', { collectionIds: [KNOWN_COLLECTION, 'col_1'] }, 'data.collectionIds: "col_1"'],
    [
      'sender',
      { collectionIds: [KNOWN_COLLECTION], senderIds: [KNOWN_SENDER, 'snd_1'] },
      'data.senderIds: "snd_1"',
    ],
  ])('refuses, by name, a %s that the Member cannot see', async (_what, data, fault) =>
    expectInvalid(authority.routineGrant(await authority.member(), { data }), fault),
  );

  test('is unavailable, and creates nothing, while the record-store is unavailable', async () => {
    const member = await withoutRecordStore.member();
    expect(await outcomeOf(withoutRecordStore.routineGrant(member))).toBe('action_platform_unavailable');
    const { grants } = await withoutRecordStore.collections();
    expect(await grants.countDocuments()).toBe(0);
  });
});

test('the refusal of a routine grant names all of its faults', async () => {
  const request = {
    operations: ['record_store.push_record', 'mail.send_email', 'no.such_operation'],
    data: {},
    expiresAt: '2001-01-01T00:00:00Z',
  };
  const member = await authority.member({ mail: true });
  const { code, message } = await refusal(authority.routineGrant(member, request));
  expect(code).toBe('invalid_request');
  for (const fault of [
    'no.such_operation',
    'expiresAt',
    'data.collectionIds',
    'data.senderIds',
    'outputDefinition',
  ])
    expect(message).toContain(fault);
});
