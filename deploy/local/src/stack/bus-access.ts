import { join } from 'node:path';
import { type Bus, connectBus, createBusKeys } from '@action-platform/bus';
import { type BusUser, busUsers } from '@action-platform/contracts';
import { type LocalDirectory, readJsonFile, writeJsonFile } from '../local-directory.ts';

/** The nkeys of the bus users, by name. */
export type BusKeys = ReturnType<typeof createBusKeys>;

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

/** How an operator reaches a running platform. */
export interface OperatorAccess {
  readonly nats_url: string;
  readonly admin_seed: string;
}

/** Writes down how to reach the stack. */
export function writeStack(directory: LocalDirectory, access: OperatorAccess): void {
  writeJsonFile(directory.stackFile, access);
}

/** How to reach the stack of a directory; an error says what to do when none was started there. */
export function readStack(directory: LocalDirectory): OperatorAccess {
  const access = readJsonFile<OperatorAccess>(directory.stackFile);
  if (access === undefined) {
    throw new Error(`No platform was started in ${directory.root}: run npm start first, or set LOCAL_DIR.`);
  }
  return access;
}

/** How long a person waits, in milliseconds. */
const CONNECT_PATIENCE_MS = 10_000;
/** What an operator asks is short, whatever the platform's own limits are. */
const OPERATOR_MESSAGE_BYTES = 64 * 1024;

/** Joins the bus of a platform as its operator; an error says what to do when it does not answer. */
export async function connectOperator(
  { nats_url: url, admin_seed: seed }: OperatorAccess,
  patienceMs = CONNECT_PATIENCE_MS,
): Promise<Bus> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return await connectBus({ url, user: 'admin', seed, maxMessageBytes: OPERATOR_MESSAGE_BYTES, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`The platform does not answer at ${url}: is it running? Start it with npm start.`);
  }
}
