import { join } from 'node:path';
import { createBusKeys } from '@action-platform/bus';
import { type BusUser, busUsers } from '@action-platform/contracts';
import { readJsonFile, writeJsonFile } from '../json-file.ts';
import type { LocalDirectory } from '../local-directory.ts';

type BusKeys = ReturnType<typeof createBusKeys>;

/** The nkeys of the bus users; made at the first start, and for users that have joined since. */
export function openBusKeys({ keys }: LocalDirectory): BusKeys {
  const file = join(keys, 'bus.json');
  const kept = readJsonFile<Partial<BusKeys>>(file);
  if (kept !== undefined && busUsers.every((user) => kept[user] !== undefined)) return kept as BusKeys;
  const all = { ...createBusKeys(), ...kept };
  writeJsonFile(file, all);
  return all;
}

/** The public half of every key. */
export function publicKeysOf(keys: BusKeys): Record<BusUser, string> {
  return Object.fromEntries(busUsers.map((user) => [user, keys[user].publicKey])) as Record<BusUser, string>;
}
