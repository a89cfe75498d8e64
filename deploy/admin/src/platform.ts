import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, busHeaders, callService, type Streams, type SurveyOptions } from '@action-platform/bus';
import type { Event, Survey, SurveyAnswer } from '@action-platform/contracts/bus';
import type { Call } from '@action-platform/contracts/calls';
import { newRequestId } from '@action-platform/contracts/ids';
import {
  connectOperator,
  LOOK_AT_NATS,
  type LocalDirectory,
  localDirectory,
  type OperatorAccess,
  readStack,
} from '@action-platform/local';
import type { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How long a command waits for a call by default, and for the bus to take an event, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** How long a command may take to leave the bus, in milliseconds; a command serves no requests. */
const LEAVE_MS = 1_000;

/**
 * The platform that the environment names: the local one, or the one at `NATS_URL`. The first call connects to it. Everything but `leave`
 * rejects when the bus does not answer in time.
 */
export class Platform {
  /** The name of the operator for the services' logs. */
  readonly operator: string;
  /** The local platform; undefined for another one. */
  readonly local: LocalDirectory | undefined;
  readonly #access: () => OperatorAccess;
  #bus: Promise<Bus> | undefined;

  /** @throws Error when the environment names only half of a platform */
  constructor(environment: Environment) {
    const directory = localDirectory(environment);
    const elsewhere = operatorAccess(environment);
    this.operator = operatorName(environment);
    this.local = elsewhere === undefined ? directory : undefined;
    this.#access = () => elsewhere ?? readStack(directory);
  }

  async call<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
    timeoutMs = TIMEOUT_MS,
  ): Promise<z.output<Output>> {
    const headers = { [busHeaders.requestId]: newRequestId(), [busHeaders.operator]: this.operator };
    return await callService(await this.#connect(), call, input, { timeoutMs, headers });
  }

  /** Publishes an event to all replicas. */
  async tell<Body extends z.ZodObject>(event: Event<Body>, body: z.input<Body>): Promise<void> {
    const bus = await this.#connect();
    bus.publish(event, body);
    await flushed(bus);
  }

  /** Asks every replica; resolves with their answers when these are complete or the time is up. */
  async survey<Answer extends SurveyAnswer>(
    survey: Survey<Answer>,
    options: SurveyOptions<z.output<Answer>>,
  ): Promise<z.output<Answer>[]> {
    const bus = await this.#connect();
    const [answers] = await Promise.all([bus.survey(survey, options), flushed(bus)]);
    return answers;
  }

  async streams(): Promise<Streams> {
    return (await this.#connect()).streams;
  }

  async leave(): Promise<void> {
    const left = this.#bus?.then((bus) => bus.drain());
    await Promise.race([left, delay(LEAVE_MS, undefined, { ref: false })]).catch(() => {});
  }

  #connect(): Promise<Bus> {
    this.#bus ??= connectOperator(this.#access());
    return this.#bus;
  }
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
