import type { Bus } from '@action-platform/bus';
import type { ProcessName } from '@action-platform/contracts/services';
import type { Database } from '@action-platform/mongo';
import type { SecretKeys } from '@action-platform/sealing';
import type { z } from 'zod';
import type { AuditTrail } from '../auditing/audit-trail.ts';
import type { Missing } from '../health/readiness.ts';
import type { Logger } from '../logging/logger.ts';
import type { FindCollections, FindSenders } from '../serving/named-collections.ts';
import type { ServedCall } from '../serving/serve.ts';
import type { StoredData } from '../serving/workspace-data.ts';
import type { RecentCalls } from '../status/recent-calls.ts';
import type { commonConfig } from './config.ts';

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
  /** Opens the service's own database; the service host checks it in health calls and closes it with the service. */
  openDatabase(): Promise<Database>;
}

/** The parts of a service that the host serves, watches and stops. */
interface ServiceParts {
  /** The calls that it answers. */
  readonly calls?: readonly ServedCall[];
  /** Finds Collections; by default the record store is asked. */
  readonly collections?: FindCollections;
  readonly senders?: FindSenders;
  /** The stored data of Workspaces, which the host exports and erases. */
  readonly stored?: StoredData;
  /** Returns the missing dependencies of the service, besides its databases and the bus. */
  readonly missing?: () => Promise<Missing>;
  /** How much the service has taken on from outside the bus. */
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
  /** Set in tests: the service may have no handler for a declared call. */
  readonly isPartial?: true;
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
