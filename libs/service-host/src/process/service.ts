import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, connectBus, requireRoomForAnswers } from '@action-platform/bus';
import {
  AUDIT,
  type BusUser,
  type Environment,
  healthCall,
  isService,
  largestMessageBytes,
  type ProcessName,
  readConfig,
  TRACES_IN_A_MESSAGE,
  telemetryKeepEvent,
} from '@action-platform/contracts';
import { type Database, openDatabase, requireGuarded } from '@action-platform/mongo';
import type { SecretKeys } from '@action-platform/sealed-secrets';
import { telemetry } from '@action-platform/telemetry';
import type { z } from 'zod';
import { AuditTrail } from '../auditing/audit-trail.ts';
import { measureAuthority } from '../health/measure-authority.ts';
import { type Missing, Readiness } from '../health/readiness.ts';
import { serveHealth } from '../health/serve-health.ts';
import { withTimeout } from '../health/with-timeout.ts';
import { createLogger, type Logger } from '../logging/logger.ts';
import { initializeShedCounter } from '../observing/metrics.ts';
import type { Host } from '../serving/respond.ts';
import { type ServedCall, serveCall } from '../serving/serve.ts';
import { type StoredData, serveWorkspaceData } from '../serving/workspace-data.ts';
import { answerStatus } from '../status/answer-status.ts';
import { RecentCalls } from '../status/recent-calls.ts';
import { answerTraces } from '../traces/answer-traces.ts';
import { busSeed, type commonConfig, sealKeys } from './config.ts';
import { hostOf } from './host.ts';
import { followLogLevel } from './log-level.ts';

/** The tools that a service is built with. */
export interface ServiceTools<Config> {
  readonly config: Config;
  readonly log: Logger;
  readonly bus: Bus;
  /** Aborted on a stop signal; the service still serves for a while, and refers its callers to other replicas. */
  readonly leaving: AbortSignal;
  /** Takes the answers to calls from outside the bus; the host records those over it. */
  readonly recent: RecentCalls;
  /** Takes the entries for the audit log of calls from outside the bus; the host takes those of operators. */
  readonly trail: AuditTrail;
  /** The keys of the deployment that seal; derive those of each purpose with `keysFor`. */
  readonly sealKeys: SecretKeys;
  /** Opens the service's own database; it is checked by health calls and closed with the service. */
  openDatabase(): Promise<Database>;
}

/** The parts of a service that the host serves, watches and stops. */
interface ServiceParts {
  /** What it answers. */
  readonly calls?: readonly ServedCall[];
  /** What it stores of Workspaces, which the host exports and erases. */
  readonly stored?: StoredData;
  /** Its missing dependencies, besides its databases and the bus. */
  readonly missing?: () => Promise<Missing>;
  /** How much it has taken on from outside the bus. */
  readonly inFlight?: () => number;
  /** Publishes its changes; the host tells it of each write, and stops it. */
  readonly changes?: { wrote(): void; stop(): Promise<void> };
  /** Stops taking work from outside the bus and finishes what was taken. */
  readonly stopAccepting?: () => Promise<void>;
  /** Brings to an end what is left when the last call has been answered. */
  readonly flush?: () => Promise<void>;
}

/** A service, ready to be started. */
export interface ServiceDefinition<Schema extends typeof commonConfig = typeof commonConfig> {
  readonly name: ProcessName;
  /** `commonConfig`, extended by the service's own variables. */
  readonly config: Schema;
  start(tools: ServiceTools<z.output<Schema>>): Promise<ServiceParts>;
}

/** A service that takes requests. */
export interface RunningService {
  readonly log: Logger;
  /** Stops being ready, and still serves for SHUTDOWN_DELAY_MS, until its callers have noticed. */
  leave(): Promise<void>;
  /** Leaves, takes no more requests, finishes those it has, and closes its connections. No request is lost. */
  stop(): Promise<void>;
}

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
  const held = new AsyncDisposableStack();
  try {
    return await serve(definition, config, log, held);
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}

/** Builds the service and serves its operations and calls; `held` closes every connection that it opens. */
async function serve<Schema extends typeof commonConfig>(
  definition: ServiceDefinition<Schema>,
  config: z.output<Schema>,
  log: Logger,
  held: AsyncDisposableStack,
): Promise<RunningService> {
  const acceptsAny = config.ALLOW_INSECURE === '1';
  const keys = sealKeys(config);
  const readiness = new Readiness();
  held.defer(await serveHealth(readiness, config));
  measureAuthority(config.NATS_CA_FILE);
  const bus = await connectBus({
    url: config.NATS_URL,
    authorityFile: config.NATS_CA_FILE,
    acceptsAny,
    user: definition.name,
    seed: busSeed(config),
    maxMessageBytes: largestMessageBytes(config),
    onEvent: ({ level, message }) => log[level](message),
  });
  held.defer(() => bus.drain());
  const { retroactive } = telemetry();
  if (retroactive !== undefined) {
    retroactive.onKeep(
      (ids) => bus.publish(telemetryKeepEvent, { trace_ids: [...ids] }),
      TRACES_IN_A_MESSAGE,
    );
    bus.subscribe(telemetryKeepEvent, ({ trace_ids }) => retroactive.keep(trace_ids));
  }
  followLogLevel(definition.name, log, bus);

  const leaving = new AbortController();
  const databases: Database[] = [];
  const recent = new RecentCalls();
  const trail = new AuditTrail({
    store: (id, body) => bus.streams.store(AUDIT, { id, body, timeoutMs: STORE_TIMEOUT_MS }),
    log,
    readsEach: config.AUDIT_READS === 'each',
    windowMs: config.AUDIT_WINDOW_MS,
  });
  const parts = await definition.start({
    config,
    log,
    bus,
    leaving: leaving.signal,
    recent,
    trail,
    sealKeys: keys,
    openDatabase: async () => {
      const url = config.MONGODB_URL;
      const database = await openDatabase(url, config.MONGODB_DATABASE ?? definition.name);
      held.defer(() => database.close());
      if (!acceptsAny) await requireGuarded(database.db, url);
      databases.push(database);
      return database;
    },
  });

  const host = hostOf(config, log, bus, recent, trail, () => parts.changes?.wrote());
  const calls = [
    ...(parts.calls ?? []),
    ...serveWorkspaceData(definition.name, parts.stored),
    ...health(definition.name, databases),
  ];
  serveAll(definition.name, calls, host);
  answerStatus({
    service: definition.name,
    bus,
    databases,
    readiness,
    recent,
    inFlight: () => host.admission.taken + (parts.inFlight?.() ?? 0),
  });
  answerTraces(definition.name, bus);
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
  return {
    log,
    leave,
    stop: async () => {
      if (held.disposed) return;
      await leave();
      const limit = delay(CALLS_LIMIT_MS, undefined, { ref: false });
      await Promise.race([Promise.all([parts.stopAccepting?.(), parts.changes?.stop()]), limit]);
      retroactive?.flush();
      await bus.drain(() => trail.stop(), limit);
      await parts.flush?.();
      await held.disposeAsync();
      log.info('stopped');
    },
  };
}

function serveAll(name: ProcessName, calls: readonly ServedCall[], host: Host): void {
  for (const { call, handler } of calls) {
    initializeShedCounter(call.id);
    host.bus.serve(call.subject, name, handler(host));
  }
}

/** Shorter than the timeout of a readiness probe, so that its answer can name the database. */
const DATABASE_TIMEOUT_MS = 2_000;

async function missingDependencies(
  bus: Bus,
  databases: readonly Database[],
  parts: Missing = { needed: [] },
): Promise<Missing> {
  const pings = Promise.all(databases.map((database) => database.ping()));
  const hasDatabase = await withTimeout(
    pings.then(() => true),
    false,
    DATABASE_TIMEOUT_MS,
  );
  const own = [...(bus.connected ? [] : ['bus']), ...(hasDatabase ? [] : ['database'])];
  return { ...parts, needed: [...own, ...parts.needed] };
}

function health(name: BusUser, databases: readonly Database[]): ServedCall[] {
  if (!isService(name)) return [];
  return [
    serveCall(healthCall(name), async () => {
      await Promise.all(databases.map((database) => database.ping()));
      return { ok: true as const };
    }),
  ];
}
