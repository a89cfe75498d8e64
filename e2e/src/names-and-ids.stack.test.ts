import { createCollection, listRecords, pushRecord } from '@action-platform/contracts/operations';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { Caller, createGrant, execute } from '@action-platform/testing/http';
import { beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { callTool } from './mcp.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
const NOT_FOUND = 'record_store_collection_not_found';
const run = { 'x-routine-invocation-id': 'run' };

/** A Workspace with Collections, by name. */
interface Held {
  readonly token: string;
  readonly ids: ReadonlyMap<string, string>;
}

let gateway: string;
let own: Held;
let foreign: Held;
/** The secret of a grant for two Collections of the own Workspace, which it lists by name, and these. */
let secret: string;
const granted = ['Orders', 'orders'];

beforeAll(async () => {
  const workspaceWith = async (...names: string[]): Promise<Held> => {
    const { base_url, owner } = await stack.workspace();
    gateway = base_url;
    const caller = new Caller(gateway, owner.token);
    const made = names.map(
      async (name) => (await caller.execute(createCollection.id, { name })).collection.id,
    );
    const ids = await Promise.all(made);
    return { token: owner.token, ids: new Map(names.map((name, index) => [name, ids[index]!])) };
  };
  own = await workspaceWith('Orders', 'orders', ' Orders', 'COL_1', 'Leads');
  foreign = await workspaceWith('Orders', 'Salaries', 'COL_2');
  const scope = {
    name: 'job',
    operations: [pushRecord.id],
    data: { collectionIds: granted },
    maximumCadence: { invocations: 9, periodSeconds: 60 },
  };
  ({ secret } = await createGrant(gateway, own.token, scope));
});

/** Texts that stand for a Collection, or nearly: names and ids of both Workspaces, and changes of them. */
const anyText = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.nat(15).map((nth) => known()[nth % known().length]!) },
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
      fc.string({ unit: anyCharacter, maxLength: 20 }).map((end) => `col_${end}`),
    ),
    fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => ` ${text}`,
      (text) => `${text}\u200b`,
      (text) => text.slice(0, -1) || text,
      (text) => text.normalize('NFD'),
    ),
  )
  .map(([text, change]) => change(text))
  // JSON of the platform has whole characters alone.
  .filter((text) => text.isWellFormed());
const known = () => [own, foreign].flatMap(({ ids }) => [...ids].flat());

/** The id of the own Collection that a text names, or is the id of. */
const idOf = (text: string) => own.ids.get(text) ?? [...own.ids.values()].find((id) => id === text);

test('a text reaches the Collection of its Workspace that has this name or id, in the scope of a grant alone, and no other', async () => {
  const inScope = new Set(granted.map((name) => own.ids.get(name)));
  await fc.assert(
    fc.asyncProperty(anyText, fc.boolean(), fc.boolean(), async (text, byGrant, atMcp) => {
      const [token, headers] = byGrant ? [secret, run] : [own.token, {}];
      const input = { collection_id: text, payload: { text }, idempotency_key: crypto.randomUUID() };
      const answer = atMcp
        ? await callTool({ gateway, token, headers }, pushRecord.id, input)
        : await execute(gateway, token, pushRecord.id, input, headers);
      const { result, error } = atMcp ? JSON.parse(answer.json.result.content[0].text) : answer.json;
      const id = idOf(text);
      if (byGrant && !inScope.has(id)) expect(error?.code).toBe('grant_data_scope_exceeded');
      else if (id === undefined) expect(error?.code).toBe(NOT_FOUND);
      else expect(result?.record.collection_id).toBe(id);
    }),
    { numRuns: 100 },
  );
  const others = new Caller(gateway, foreign.token);
  for (const id of foreign.ids.values())
    expect((await others.execute(listRecords.id, { collection_id: id })).records).toEqual([]);
});
