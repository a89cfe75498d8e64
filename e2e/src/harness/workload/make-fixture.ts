import { addMember, connectApp, createWorkspace, setQuota } from '@action-platform/contracts/calls';
import type { Fixture, Person, Platform } from './fixture.ts';
import { grantExpiry, requestOf } from './requests.ts';
import { Session } from './session.ts';
import { SLOTS } from './steps.ts';

/** The quota of the small Workspace, in bytes: a few hundred Records. */
const QUOTA = 20_000;
/** How many requests a suite itself makes at once. */
const AT_ONCE = 16;

/** A new Workspace of Owners with mailboxes. */
export async function newWorkspace(platform: Platform, owners = 1) {
  const { workspace_id: workspace } = await platform.operate(createWorkspace, { name: 'Test' });
  const people: Person[] = [];
  for (let n = 0; n < owners; n++) {
    const user = `owner-${n}`;
    await platform.operate(addMember, { workspace, user, role: 'owner' });
    const email = `${user}@example.com`;
    await platform.operate(connectApp, { workspace, user, app: 'mail_suite', email, provider: 'local' });
    people.push({ user, token: await platform.token(workspace, user) });
  }
  return { workspace, owners: people as [Person, ...Person[]] };
}

/** Makes the Workspaces, Records and grants of the clients, before the first fault. */
export async function makeFixture(platform: Platform, url: string, owners = 1): Promise<Fixture> {
  const [main, small] = [await newWorkspace(platform, owners), await newWorkspace(platform)];
  const [{ token }, limit] = [main.owners[0], small.owners[0]];
  await platform.operate(setQuota, { workspace: small.workspace, bytes: QUOTA });
  const session = new Session(url, token, { connections: AT_ONCE });
  const collection = async (owner: string): Promise<string> =>
    (await session.execute('record_store.create_collection', { name: 'things' }, owner)).collection.id;
  const records: string[] = [];
  const fixture: Fixture = {
    ...{ platform, url, session, ...main, records, recent: [], files: [] },
    ...{ grants: [], routines: [], entries: [], acknowledged: 0 },
    ...{ collections: [await collection(token)], places: new Map(), secrets: new Map() },
    grantsExpireAt: grantExpiry(),
    limited: {
      ...{ workspace: small.workspace, token: limit.token, quota: QUOTA },
      collection: await collection(limit.token),
    },
  };
  for (let slot = 0; slot < SLOTS.records; slot++) {
    const collection = fixture.collections[0]!;
    const action = { what: 'push', collection, key: `record-${slot}`, bytes: 0 } as const;
    const begunAt = performance.now();
    const answered = await session.ask(requestOf(action, fixture));
    if (answered.outcome.is !== 'done') throw new Error('The fixture cannot be made.');
    fixture.entries.push({ client: -1, action, begunAt, endedAt: performance.now(), ...answered });
    records.push(answered.outcome.result.record!);
  }
  for (const [what, slots] of [
    ['grant', SLOTS.grants],
    ['routine', SLOTS.routines],
  ] as const)
    for (let slot = 0; slot < slots; slot++)
      await session.require(requestOf({ what, key: `${what}-${slot}`, slot }, fixture));
  return fixture;
}
