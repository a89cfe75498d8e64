import type { RetroactiveTracerProvider } from './retroactive-sampling/tracer-provider.ts';

/** The telemetry of a process. */
export interface Telemetry {
  readonly isEnabled: boolean;
  /** Stores spans and keeps the traces of failures; undefined when telemetry is off, or the SDK samples. */
  readonly retroactive: RetroactiveTracerProvider | undefined;
  /** Sends the remaining spans and metrics, and ends it. */
  stop(): Promise<void>;
}

/** The result of the start. */
type Started = { readonly started: Telemetry } | { readonly failed: unknown };

const none: Telemetry = { isEnabled: false, retroactive: undefined, stop: async () => {} };
let state: Started = { started: none };

/** Sets the result of the start. */
export function telemetryHas(started: Started): void {
  state = started;
}

/** The telemetry of this process. Throws WrongConfiguration when its configuration was wrong. */
export function telemetry(): Telemetry {
  if ('failed' in state) throw state.failed;
  return state.started;
}
