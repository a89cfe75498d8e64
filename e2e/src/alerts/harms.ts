import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseUser, serviceRoles } from '@action-platform/deployment';
import type { Demo } from '@action-platform/local';
import { send } from '@action-platform/testing';
import type { MongoClient } from 'mongodb';

/** How long each caller of a crowd rests after an answer, in milliseconds. */
const REST_MS = 100;

/** Puts right what was done. */
export type Heal = () => unknown;

/** Processes that hang. */
export function freeze(pids: readonly number[]): Heal {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

/** Something that goes wrong again and again, each time for so long, in milliseconds. */
export function again(
  harm: () => Heal | Promise<Heal>,
  { forMs, everyMs }: { forMs: number; everyMs: number },
): Heal {
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      const heal = await harm();
      await delay(forMs);
      await heal();
      await delay(everyMs - forMs);
    }
  })();
  return async () => {
    isOver = true;
    await going;
  };
}

/** A folder that is none. */
export function blockFolder(folder: string): Heal {
  const aside = `${folder}.aside`;
  renameSync(folder, aside);
  writeFileSync(folder, '');
  return () => {
    rmSync(folder);
    renameSync(aside, folder);
  };
}

/** A MongoDB that makes no write, as while somebody backs up its files (`db.fsyncLock()`). */
export async function lockWrites(mongo: MongoClient): Promise<Heal> {
  await mongo.db('admin').command({ fsync: 1, lock: true });
  return () => mongo.db('admin').command({ fsyncUnlock: 1 });
}

/** A service whose users in MongoDB may only do this in its database: `read`, or nothing at all. */
export async function restrict(
  mongo: MongoClient,
  service: DatabaseUser,
  roles: readonly 'read'[],
): Promise<Heal> {
  const admin = mongo.db('admin');
  const { users } = await admin.command({ usersInfo: 1, filter: { 'roles.db': service } });
  const give = async (given: readonly object[]) => {
    for (const { user } of users as { user: string }[])
      await admin.command({ updateUser: user, roles: given });
  };
  await give(roles.map((role) => ({ role, db: service })));
  return () => give(serviceRoles(service));
}

/** So many callers who each make one call of an operation after the other, whatever comes of it. @param input of the next call */
export function crowd(
  { gateways, owner }: Demo,
  { size, operation, input }: { size: number; operation: string; input: () => object },
): Heal {
  let isOver = false;
  const agent = new Agent({ keepAlive: true });
  const callers = Array.from({ length: size }, async (_, index) => {
    while (!isOver) {
      const call = {
        method: 'POST',
        path: `/api/v1/operations/${operation}`,
        body: JSON.stringify(input()),
      } as const;
      await send(gateways[index % gateways.length]!, agent, owner.token, call);
      await delay(REST_MS);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(callers);
    agent.destroy();
  };
}
