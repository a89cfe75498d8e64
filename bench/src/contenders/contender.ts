import type { Issuer } from '../environment/issuer.ts';
import type { NodeProcess, NodeProcesses } from '../environment/node-process.ts';
import type { Servers } from '../environment/servers.ts';
import type { RequestTemplate, Target } from '../load/load.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** The servers and settings that contenders share. */
export interface Environment {
  readonly folder: string;
  readonly servers: Servers;
  readonly issuer: Issuer;
  readonly processes: NodeProcesses;
}

/** A running system under measurement. */
export interface Contender {
  readonly name: string;
  /** Its own processes, without mongod, nats-server and the load generator. */
  readonly processes: readonly NodeProcess[];
  readonly target: Target;
  /** Creates the data of a scenario and returns its requests; undefined when this contender does not serve it. */
  prepare(scenario: Scenario): Promise<readonly RequestTemplate[] | undefined>;
}
