import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, connectBus, requireRoomForAnswers } from '@action-platform/bus';
import { AUDIT, isService, TRACES_IN_A_MESSAGE, telemetryKeepEvent } from '@action-platform/contracts/bus';
import { calls as declaredCalls, healthCall } from '@action-platform/contracts/calls';
import { type Environment, readConfig } from '@action-platform/contracts/configuration';
import { largestMessageBytes } from '@action-platform/contracts/limits';
import type { ProcessName } from '@action-platform/contracts/services';
import { type Database, openDatabase, requireGuarded } from '@action-platform/mongo';
import { telemetry } from '@action-platform/telemetry';
import type { z } from 'zod';
import { AuditTrail } from '../auditing/audit-trail.ts';
import { measureAuthority } from '../health/measure-authority.ts';
import { type Missing, Readiness } from '../health/readiness.ts';
import { serveHealth } from '../health/serve-health.ts';
import { withTimeout } from '../health/with-timeout.ts';
import { createLogger, type Logger } from '../logging/logger.ts';
import { initializeShedCounter } from '../observing/metrics.ts';
import { type ServedCall, serveCall } from '../serving/serve.ts';
import { serveWorkspaceData } from '../serving/workspace-data.ts';
import { answerStatus, answerWorkspaces } from '../status/answer-status.ts';
import { RecentCalls } from '../status/recent-calls.ts';
import { answerTraces } from '../traces/answer-traces.ts';
import { busSeed, type CommonConfig, type commonConfig, sealKeys } from './config.ts';
import { hostOf } from './host.ts';
import { followLogLevel } from './log-level.ts';
import type { RunningService, ServiceDefinition } from './service.ts';

/**
 * How long a stop waits for calls under way and callers that take their answers, in milliseconds: less than a stop may take, because the
 * entries for the audit log are stored after them.
 */
const CALLS_LIMIT_MS = 18_000;

/** How long JetStream may take to acknowledge entries of the audit log, in milliseconds. */
const STORE_TIMEOUT_MS = 2_000;

/** Starts a service in this process and resolves once it takes requests. */
export async function startService<Schema extends typeof commonConfig>(
  definition: ServiceDefinition<Schema>,
  environment: Environment,
): Promise<RunningService> {
  const config = readConfig(definition.config, environment);
  requireRoomForAnswers(config);
  const log = createLogger(definition.name, config.LOG_LEVEL);
  const connections = new AsyncDisposableStack();
  try {
    return await serve(definition, config, log, connections);
  } catch (error) {
    await connections.disposeAsync();
    throw error;
  }
}

/** Starts the parts of a process, one after the other; `connections` closes every connection that they open. */
async function serve<Schema extends typeof commonConfig>(
  { name, start, isPartial }: ServiceDefinition<Schema>,
  config: z.output<Schema>,
  log: Logger,
  connections: AsyncDisposableStack,
): Promise<RunningService> {
  const readiness = new Readiness();
  const leaving = new AbortController();
  const recent = new RecentCalls();

  connections.defer(await serveHealth(readiness, config));
  measureAuthority(config.NATS_CA_FILE);
  const bus = await connectedBus(name, config, log);
  connections.defer(() => bus.drain());
  const traces = keepTraces(bus);
  followLogLevel(name, log, bus);
  const trail = auditTrail(bus, config, log);
  const databases = new Databases(name, config, connections);
  const parts = await start({
    config,
    log,
    bus,
    leaving: leaving.signal,
    recent,
    trail,
    sealKeys: sealKeys(config),
    openDatabase: () => databases.open(),
  });
  const host = hostOf(config, log, bus, recent, trail, () => parts.changes?.wrote(), parts);
  const calls = [
    ...(parts.calls ?? []),
    ...serveWorkspaceData(name, parts.stored),
    ...health(name, databases),
  ];
  if (!isPartial) requireAllServed(name, calls);
  for (const { call, handler } of calls) {
    initializeShedCounter(call.id);
    bus.serve(call.subject, name, handler(host));
  }
  const inFlight = () => host.admission.taken + host.bulk.taken + (parts.inFlight?.() ?? 0);
  answerStatus({ service: name, bus, databases: databases.opened, readiness, recent, inFlight });
  answerWorkspaces({ service: name, bus, recent });
  answerTraces(name, bus);
  await bus.flush();
  readiness.started(async () => missingDependencies(bus, databases, await parts.missing?.()));
  log.info('ready');

  let left: Promise<unknown> | undefined;
  const leave = async () => {
    if (left === undefined) {
      log.info('stopping');
      readiness.stops();
      leaving.abort();
      left = delay(config.SHUTDOWN_DELAY_MS);
    }
    await left;
  };
  const stop = async () => {
    if (connections.disposed) return;
    await leave();
    const limit = delay(CALLS_LIMIT_MS, undefined, { ref: false });
    await Promise.race([Promise.all([parts.stopAccepting?.(), parts.changes?.stop()]), limit]);
    traces?.flush();
    await bus.drain(() => trail.stop(), limit);
    await parts.flush?.();
    await connections.disposeAsync();
    log.info('stopped');
  };
  return { log, leave, stop };
}

/** Throws for a service that has no handler for a call of the registry. */
function requireAllServed(name: ProcessName, calls: readonly ServedCall[]): void {
  const served = new Set(calls.map(({ call }) => call.id));
  const missing = declaredCalls.filter(({ service, id }) => service === name && !served.has(id));
  if (missing.length === 0) return;
  throw new Error(`declared and not served by ${name}: ${missing.map(({ id }) => id).join(', ')}`);
}

function connectedBus(user: ProcessName, config: CommonConfig, log: Logger): Promise<Bus> {
  return connectBus({
    url: config.NATS_URL,
    authorityFile: config.NATS_CA_FILE,
    acceptsAny: config.ALLOW_INSECURE === '1',
    user,
    seed: busSeed(config),
    maxMessageBytes: largestMessageBytes(config),
    onEvent: ({ level, message }) => log[level](message),
  });
}

/** Keeps whole the traces that other processes keep, and tells them of those that this one does. */
function keepTraces(bus: Bus) {
  const { retroactive } = telemetry();
  if (retroactive === undefined) return undefined;
  retroactive.onKeep((ids) => bus.publish(telemetryKeepEvent, { trace_ids: [...ids] }), TRACES_IN_A_MESSAGE);
  bus.subscribe(telemetryKeepEvent, ({ trace_ids }) => retroactive.keep(trace_ids));
  return retroactive;
}

function auditTrail(bus: Bus, config: CommonConfig, log: Logger): AuditTrail {
  return new AuditTrail({
    store: (id, body) => bus.streams.store(AUDIT, { id, body, timeoutMs: STORE_TIMEOUT_MS }),
    log,
    readsEach: config.AUDIT_READS === 'each',
    windowMs: config.AUDIT_WINDOW_MS,
  });
}

/** The databases that a service opened. */
class Databases {
  readonly opened: Database[] = [];
  readonly #name: string;
  readonly #config: CommonConfig;
  readonly #connections: AsyncDisposableStack;

  constructor(name: ProcessName, config: CommonConfig, connections: AsyncDisposableStack) {
    this.#name = config.MONGODB_DATABASE ?? name;
    this.#config = config;
    this.#connections = connections;
  }

  async open(): Promise<Database> {
    const { MONGODB_URL: url, ALLOW_INSECURE } = this.#config;
    const database = await openDatabase(url, this.#name);
    this.#connections.defer(() => database.close());
    if (ALLOW_INSECURE !== '1') await requireGuarded(database.db, url);
    this.opened.push(database);
    return database;
  }

  async ping(): Promise<void> {
    await Promise.all(this.opened.map((database) => database.ping()));
  }
}

/** Shorter than the timeout of a readiness probe, so that its answer can name the database. */
const DATABASE_TIMEOUT_MS = 2_000;

async function missingDependencies(
  bus: Bus,
  databases: Databases,
  parts: Missing = { needed: [] },
): Promise<Missing> {
  const isAnswered = databases.ping().then(() => true);
  const hasDatabase = await withTimeout(isAnswered, false, DATABASE_TIMEOUT_MS);
  const own = [...(bus.connected ? [] : ['bus']), ...(hasDatabase ? [] : ['database'])];
  return { ...parts, needed: [...own, ...parts.needed] };
}

function health(name: ProcessName, databases: Databases): ServedCall[] {
  if (!isService(name)) return [];
  return [
    serveCall(healthCall(name), async () => {
      await databases.ping();
      return { ok: true as const };
    }),
  ];
}
