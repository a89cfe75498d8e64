import { grantRoutes, isGrantSecret, operations, type RoutineGrantRequest } from '@action-platform/contracts';
import { describe, expect, test } from '@jest/globals';
import {
  aRoutine,
  inDays,
  KNOWN_COLLECTION,
  KNOWN_SENDER,
  outcomeOf,
  refusal,
  TestAuthority,
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

/** The message of the `invalid_request` that refuses a request. */
async function complaint(changes: Partial<RoutineGrantRequest>, mail = true): Promise<string> {
  const member = await authority.member({ mail });
  const error = await refusal(
    authority.manage(member, grantRoutes.routine.create, { ...request, ...changes }),
  );
  expect(error.code).toBe('invalid_request');
  return error.message;
}

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

  test('refuses, by name, an operation that this Member cannot call now', async () => {
    for (const id of ['record_store.no_such', 'record_store.create_collection']) {
      expect(await complaint({ operations: ['record_store.get_record', id] })).toContain(id);
    }
    expect(await complaint({ operations: ['mail.send_email'], outputDefinition: 'x' }, false)).toContain(
      'mail.send_email',
    );
  });

  test('refuses, naming the kind, every operation that reaches data of which the data scope lists none', async () => {
    const owner = await authority.member({ role: 'owner', mail: true });
    const scoped = [...operations.values()].filter(({ dataScope }) => dataScope !== undefined);
    expect(scoped.length).toBeGreaterThan(10);
    for (const { id, dataScope } of scoped) {
      const request = { operations: [id], outputDefinition: 'x' };
      for (const data of [{}, { [dataScope!.kind]: [] }]) {
        const error = await refusal(authority.routineGrant(owner, { ...request, data }));
        expect([error.code, error.message]).toEqual([
          'invalid_request',
          `data.${dataScope!.kind}: must list what ${id} may reach.`,
        ]);
      }
      expect(await outcomeOf(authority.routineGrant(owner, { ...request, data: EVERYTHING }))).toBe('ok');
    }
  });

  test('accepts create_collection without listed Collections, because it reaches no existing one', async () => {
    const owner = await authority.member({ role: 'owner' });
    const operations = ['record_store.create_collection'];
    expect(await outcomeOf(authority.routineGrant(owner, { operations, data: {} }))).toBe('ok');
  });

  test('refuses, by name, a Collection and a sender that the Member cannot see', async () => {
    const collectionIds = [KNOWN_COLLECTION];
    expect(await complaint({ data: { collectionIds: [...collectionIds, 'col_other'] } })).toContain(
      'col_other',
    );
    const data = { collectionIds, senderIds: [KNOWN_SENDER, 'snd_1'] };
    expect(await complaint({ data })).toContain('data.senderIds: "snd_1"');
  });

  test('requires an output definition for drafting e-mails', async () => {
    const data = { senderIds: [KNOWN_SENDER] };
    const drafting = { operations: ['mail.send_email'], data };
    expect(await complaint(drafting)).toContain('outputDefinition');
    const terms = { ...drafting, outputDefinition: 'weekly-report' };
    const { grant } = await authority.routineGrant(await authority.member({ mail: true }), terms);
    expect(grant).toMatchObject({ outputDefinition: 'weekly-report', data });
  });

  test('accepts an output definition of 200 characters, longer than idempotency keys may be', async () => {
    const strict = new TestAuthority();
    await strict.start({ replicas: 0 });
    try {
      await strict.platform.spawn('grants', { IDEMPOTENCY_KEY_MAX_LENGTH: '8' });
      const member = await strict.member();
      const ask = (changes: Partial<RoutineGrantRequest>) => outcomeOf(strict.routineGrant(member, changes));
      expect(await ask({ outputDefinition: 'x'.repeat(200), idempotencyKey: 'x'.repeat(8) })).toBe('ok');
      expect(await ask({ outputDefinition: 'x'.repeat(201) })).toBe('invalid_request');
      expect(await ask({ idempotencyKey: 'x'.repeat(9) })).toBe('invalid_request');
    } finally {
      await strict.stop();
    }
  });

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
