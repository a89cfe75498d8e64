import { type Environment, readConfig } from '@action-platform/contracts/configuration';
import { exportersOf } from './exporters.ts';
import { telemetryHas } from './running.ts';
import { telemetrySettings } from './settings.ts';

/**
 * Starts telemetry: spans, which are stored for `admin trace`, and exports of spans and metrics as configured. Without exports the SDK is
 * not loaded. `OTEL_SDK_DISABLED` turns all of it off. `telemetry()` throws what was wrong with the configuration.
 */
export async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  if (environment.OTEL_SDK_DISABLED === 'true') return;
  try {
    const settings = readConfig(telemetrySettings, environment as Environment);
    const exporters = exportersOf(environment, settings);
    if (exporters.traces.length > 0 || exporters.metrics.length > 0) {
      const { startSdk } = await import('./sdk.ts');
      telemetryHas({ started: await startSdk(environment, settings, exporters) });
    } else if (!environment.OTEL_TRACES_SAMPLER) {
      const { storeSpans } = await import('./stored-spans.ts');
      telemetryHas({ started: storeSpans(settings) });
    }
  } catch (error) {
    telemetryHas({ failed: error });
  }
}
