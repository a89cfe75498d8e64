import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { sampleRetroactively } from './retroactive.ts';
import type { Telemetry } from './running.ts';
import type { TelemetrySettings } from './settings.ts';

/** Stores the spans of this process for `admin trace`, without the SDK, which would take 30 MB and half a second to load. */
export function storeSpans(settings: TelemetrySettings): Telemetry {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  return { isEnabled: true, retroactive: sampleRetroactively(settings), stop: async () => {} };
}
