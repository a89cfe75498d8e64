import { type Environment, readConfig } from '@action-platform/contracts';
import { exportersOf } from './exporters.ts';
import { telemetryHas } from './running.ts';
import { telemetrySettings } from './settings.ts';

/**
 * Starts the configured telemetry: spans and metrics that have an exporter. Without any the SDK is not loaded.
 * `telemetry()` throws what was wrong with the configuration.
 */
export async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    const settings = readConfig(telemetrySettings, environment as Environment);
    const exporters = exportersOf(environment, settings);
    if (exporters.traces.length === 0 && exporters.metrics.length === 0) return;
    const { startSdk } = await import('./sdk.ts');
    telemetryHas({ started: await startSdk(environment, settings, exporters) });
  } catch (error) {
    telemetryHas({ failed: error });
  }
}
