import type { Asked } from './session.ts';
import { RUNS } from './steps.ts';
import type { World } from './world.ts';

const GRANT_LIFE_MS = 24 * 3_600_000;

/** A new operation grant, in a slot. */
export function newGrant(world: World, slot: number): Asked {
  const input = { operationScope: 'record_store.get_record', expiresAt: expiry() };
  return { path: '/api/v1/operation-grants', input, read: keep(world, world.grants, slot) };
}

/** A new routine grant, in a slot. */
export function newRoutine(world: World, slot: number): Asked {
  const input = {
    name: 'job',
    operations: ['record_store.get_record'],
    data: { collectionIds: [world.collection] },
    maximumCadence: { invocations: RUNS.allowed, periodSeconds: 86_400 },
    expiresAt: expiry(),
  };
  return { path: '/api/v1/routine-grants', input, read: keep(world, world.routines, slot) };
}

const expiry = () => new Date(Date.now() + GRANT_LIFE_MS).toISOString();

function keep(world: World, slots: string[], slot: number): Asked['read'] {
  return ({ grant: { id }, secret }: { grant: { id: string }; secret: string }) => {
    world.secrets.set(id, secret);
    slots[slot] = id;
    return {};
  };
}
