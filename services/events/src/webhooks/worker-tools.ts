import type { SecretKeys } from '@action-platform/sealed-secrets';
import type { Logger } from '@action-platform/service-host';
import type { Deliveries } from './deliveries.ts';
import type { Endpoints } from './endpoints.ts';
import type { EventStream } from './event-stream.ts';
import type { Sender } from './send.ts';

/** What a worker needs. */
export interface WorkerTools {
  readonly events: EventStream;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly sender: Sender;
  readonly keys: SecretKeys;
  readonly log: Logger;
  readonly countFailure: () => void;
  /** Called when a worker has ended, for whatever reason. */
  readonly onEnded: () => void;
}
