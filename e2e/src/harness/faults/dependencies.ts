import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DatabaseUser, serviceRoles } from '@action-platform/deployment';
import type { Demo } from '@action-platform/local';
import { send } from '@action-platform/testing/http';
import type { MongoClient } from 'mongodb';
import type { Repair } from './fault.ts';

/** The pause of each caller after an answer, in milliseconds. */
const REST_MS = 100;

/** Repeats a failure, each time for `forMs` milliseconds. */
export function again(
  inject: () => Repair | Promise<Repair>,
  { forMs, everyMs }: { forMs: number; everyMs: number },
): Repair {
  let hasEnded = false;
  const going = (async () => {
    while (!hasEnded) {
      const repair = await inject();
      await delay(forMs);
      await repair();
      await delay(everyMs - forMs);
    }
  })();
  return async () => {
    hasEnded = true;
    await going;
  };
}

/** Replaces a folder by a file. */
export function blockFolder(folder: string): Repair {
  const aside = `${folder}.aside`;
  renameSync(folder, aside);
  writeFileSync(folder, '');
  return () => {
    rmSync(folder);
    renameSync(aside, folder);
  };
}

/** Fills the file system of a folder up to this part. */
export function fillDisk(folder: string, part: number): Repair {
  const { blocks, bavail, bsize } = statfsSync(folder);
  const file = join(folder, 'filling');
  execFileSync('fallocate', ['--length', String(Math.floor((bavail - blocks * (1 - part)) * bsize)), file]);
  return () => rmSync(file);
}

/** Adds a process to those that Prometheus scrapes. */
export function addTarget(file: string, port: string): Repair {
  const before = readFileSync(file, 'utf8');
  const further = { targets: [`127.0.0.1:${port}`], labels: { service: 'procedures' } };
  writeFileSync(file, JSON.stringify([...JSON.parse(before), further]));
  return () => writeFileSync(file, before);
}

/** Stops all writes of MongoDB, as during a backup of its files (`db.fsyncLock()`). */
export async function lockWrites(mongo: MongoClient): Promise<Repair> {
  await mongo.db('admin').command({ fsync: 1, lock: true });
  return () => mongo.db('admin').command({ fsyncUnlock: 1 });
}

/** Limits a service's MongoDB users to these roles in its database. */
export async function restrict(
  mongo: MongoClient,
  service: DatabaseUser,
  roles: readonly 'read'[],
): Promise<Repair> {
  const admin = mongo.db('admin');
  const { users } = await admin.command({ usersInfo: 1, filter: { 'roles.db': service } });
  const give = async (given: readonly object[]) => {
    for (const { user } of users as { user: string }[])
      await admin.command({ updateUser: user, roles: given });
  };
  await give(roles.map((role) => ({ role, db: service })));
  return () => give(serviceRoles(service));
}

/** Callers that each repeat an operation, whatever its answers. @param input makes the input of the next call */
export function callers(
  { gateways, owner }: Demo,
  { size, operation, input }: { size: number; operation: string; input: () => object },
): Repair {
  let hasEnded = false;
  const agent = new Agent({ keepAlive: true });
  const all = Array.from({ length: size }, async (_, index) => {
    while (!hasEnded) {
      const call = { method: 'POST', path: `/api/v1/operations/${operation}`, body: input() };
      const sent = send(gateways[index % gateways.length]!, { ...call, token: owner.token }, agent);
      await sent.catch(() => {});
      await delay(REST_MS);
    }
  });
  return async () => {
    hasEnded = true;
    await Promise.all(all);
    agent.destroy();
  };
}
