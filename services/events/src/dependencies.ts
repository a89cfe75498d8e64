import type { Bus } from '@action-platform/bus';
import type { Cursors } from '@action-platform/sealing';
import type { EventsState } from './feed/stream-state.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly bus: Bus;
  readonly stream: EventsState;
  readonly cursors: Cursors;
}
