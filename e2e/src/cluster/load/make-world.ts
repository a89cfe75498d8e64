import { setQuota } from '@action-platform/contracts';
import type { DeployedPlatform } from '../../availability/deployed-platform.ts';
import { newGrant, newRoutine } from './grants.ts';
import { requestOf } from './requests.ts';
import { operation, Session } from './session.ts';
import { SLOTS } from './steps.ts';
import type { World } from './world.ts';

/** The quota of the small Workspace, in bytes: a few hundred Records. */
const QUOTA = 20_000;

/** Makes the Workspaces, Records and grants of the clients, before the first fault. */
export async function makeWorld(platform: DeployedPlatform, url: string): Promise<World> {
  const [main, small] = [await platform.workspace(), await platform.workspace()];
  await platform.operate(setQuota, { workspace: small.workspace_id, bytes: QUOTA });
  const session = new Session(url, main.owner.token);
  const collection = await makeCollection(session, main.owner.token);
  const limited = {
    workspace: small.workspace_id,
    token: small.owner.token,
    collection: await makeCollection(session, small.owner.token),
    quota: QUOTA,
  };
  const world: World = {
    url,
    token: main.owner.token,
    workspace: main.workspace_id,
    collection,
    limited,
    records: [],
    grants: [],
    routines: [],
    secrets: new Map(),
    entries: [],
  };
  for (let slot = 0; slot < SLOTS.records; slot++) {
    const key = `record-${slot}`;
    const action = { what: 'push', collection, key, bytes: 0 } as const;
    const begunAt = performance.now();
    const outcome = await session.ask(requestOf(action, world));
    if (outcome.is !== 'done') throw new Error('The world cannot be made.');
    world.entries.push({ client: -1, action, begunAt, endedAt: performance.now(), outcome });
    world.records.push(outcome.result.record!);
  }
  for (let slot = 0; slot < SLOTS.grants; slot++) await session.ask(newGrant(world, slot));
  for (let slot = 0; slot < SLOTS.routines; slot++) await session.ask(newRoutine(world, slot));
  session.close();
  return world;
}

async function makeCollection(session: Session, token: string): Promise<string> {
  let id: string | undefined;
  await session.ask({
    ...operation(
      'record_store.create_collection',
      { name: 'things' },
      ({ collection }: { collection: { id: string } }) => {
        id = collection.id;
        return {};
      },
    ),
    token,
  });
  return id!;
}
