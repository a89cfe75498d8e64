import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, busHeaders, callService } from '@action-platform/bus';
import { newRequestId } from '@action-platform/contracts';
import {
  connectOperator,
  LOOK_AT_NATS,
  localDirectory,
  type OperatorAccess,
  readStack,
} from '@action-platform/local';
import type { Dependencies } from './command.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How long a command waits for a call, and for the bus to take an event, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long a command may take to leave the bus, in milliseconds; it serves no requests. */
const LEAVE_MS = 1_000;

/**
 * The platform that the environment names: the local one, or the one at `NATS_URL`. The first call connects to it. Everything but `leave` rejects when the bus does not answer in time. Throws when the environment names
 * only half of a platform.
 */
export function platformOf(environment: Environment): Dependencies & { leave(): Promise<void> } {
  const directory = localDirectory(environment);
  const elsewhere = operatorAccess(environment);
  let bus: Promise<Bus> | undefined;
  const connect = () => {
    bus ??= connectOperator(elsewhere ?? readStack(directory));
    return bus;
  };
  return {
    operator: operatorName(environment),
    local: elsewhere === undefined ? directory : undefined,
    call: async (call, input) => {
      const headers = {
        [busHeaders.requestId]: newRequestId(),
        [busHeaders.operator]: operatorName(environment),
      };
      return await callService(await connect(), call, input, { timeoutMs: TIMEOUT_MS, headers });
    },
    tell: async (event, body) => {
      const joined = await connect();
      joined.publish(event, body);
      await flushed(joined);
    },
    survey: async (survey, options) => {
      const joined = await connect();
      const [answers] = await Promise.all([joined.survey(survey, options), flushed(joined)]);
      return answers;
    },
    streams: async () => (await connect()).streams,
    leave: async () => {
      const left = bus?.then((joined) => joined.drain());
      await Promise.race([left, delay(LEAVE_MS, undefined, { ref: false })]).catch(() => {});
    },
  };
}

/** Resolves when the NATS server has taken everything sent so far; rejects when it does not answer in time. */
async function flushed(bus: Bus): Promise<void> {
  const late = delay(TIMEOUT_MS, 'late', { ref: false });
  if ((await Promise.race([bus.flush(), late])) === 'late')
    throw new Error(`NATS does not answer. ${LOOK_AT_NATS}`);
}

/** The access to a platform that is not the local one. Only one of its variables is an error: the command must not reach the local platform instead. */
function operatorAccess({
  NATS_URL,
  NATS_NKEY_SEED,
  NATS_NKEY_SEED_FILE: file,
  NATS_CA_FILE: authority,
  ALLOW_INSECURE,
}: Environment): OperatorAccess | undefined {
  const seed = NATS_NKEY_SEED || (file && readFileSync(file, 'utf8').trim());
  if (NATS_URL && seed) {
    return {
      nats_url: NATS_URL,
      admin_seed: seed,
      authority_file: authority || undefined,
      accepts_any: ALLOW_INSECURE === '1',
    };
  }
  if (NATS_URL) {
    throw new Error(
      'NATS_URL needs NATS_NKEY_SEED or NATS_NKEY_SEED_FILE, the seed of its bus user admin; without NATS_URL the local platform is meant.',
    );
  }
  if (seed) throw new Error('NATS_NKEY_SEED needs NATS_URL; without both the local platform is meant.');
  return undefined;
}

/** The name of the operator for the services' logs: `OPERATOR_NAME`, or this system's user and machine. Nothing verifies it. */
function operatorName({ OPERATOR_NAME }: Environment): string {
  return OPERATOR_NAME || `${systemUser()}@${hostname()}`;
}

/** A user id without an entry in the system's list of users, as containers have them, has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
