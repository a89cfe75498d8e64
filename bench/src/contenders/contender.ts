import type { Issuer } from '../environment/issuer.ts';
import type { NodeProcess, NodeProcesses } from '../environment/node-process.ts';
import type { Servers } from '../environment/servers.ts';
import type { RequestTemplate, Target } from '../load/load.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** What contenders are started with. */
export interface Environment {
  readonly folder: string;
  readonly servers: Servers;
  readonly issuer: Issuer;
  readonly processes: NodeProcesses;
}

/** Something that is measured, running. */
export interface Contender {
  readonly name: string;
  /** Its own processes, without mongod, nats-server and the load generator. */
  readonly processes: readonly NodeProcess[];
  readonly target: Target;
  /** Makes what a scenario needs and says what to send then; undefined when this contender does not serve it. */
  prepare(scenario: Scenario): Promise<readonly RequestTemplate[] | undefined>;
}
