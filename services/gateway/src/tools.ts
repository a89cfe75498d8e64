import type { Bus } from '@action-platform/bus';
import type { Logger } from '@action-platform/service-host';
import type { Authenticator } from './authentication/authenticator.ts';
import type { GatewayConfig } from './config.ts';

/** What the routes work with. */
export interface GatewayTools {
  readonly config: GatewayConfig;
  readonly bus: Bus;
  readonly log: Logger;
  readonly authenticator: Authenticator;
}
