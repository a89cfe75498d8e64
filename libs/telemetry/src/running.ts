import type { Hindsight } from './hindsight/hindsight.ts';

/** The telemetry of a process. */
export interface Telemetry {
  /** Whether there is any. */
  readonly isOn: boolean;
  /** What keeps the traces of failures; undefined when none are exported. */
  readonly hindsight: Hindsight | undefined;
  /** Ends it after sending what is left. */
  stop(): Promise<void>;
}

/** How starting it went. */
type Started = { readonly started: Telemetry } | { readonly failed: unknown };

const none: Telemetry = { isOn: false, hindsight: undefined, stop: async () => {} };
let state: Started = { started: none };

/** Says what came of starting it. */
export function telemetryHas(started: Started): void {
  state = started;
}

/** The telemetry of this process. Throws WrongConfiguration when it could not be started as it was asked for. */
export function telemetry(): Telemetry {
  if ('failed' in state) throw state.failed;
  return state.started;
}
