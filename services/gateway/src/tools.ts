import type { Bus } from '@action-platform/bus';
import type { Operation } from '@action-platform/contracts';
import type { Logger } from '@action-platform/service-host';
import type { Authenticator } from './authentication/authenticator.ts';
import type { GatewayConfig } from './config.ts';

/** What the routes work with. */
export interface GatewayTools {
  readonly config: GatewayConfig;
  readonly bus: Bus;
  readonly log: Logger;
  readonly authenticator: Authenticator;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
}
