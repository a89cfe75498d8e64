import { type Environment, readConfig } from '@action-platform/contracts';
import { exportersOf } from './exporters.ts';
import { telemetryHas } from './running.ts';
import { telemetrySettings } from './settings.ts';

/**
 * Starts what the environment asks for: spans when there is an exporter for them, metrics when there is one or a port.
 * What nobody asks for is not loaded, and costs nothing. What is wrong with it is told to whoever asks for the telemetry.
 */
export async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  try {
    const settings = readConfig(telemetrySettings, environment as Environment);
    const asked = exportersOf(environment, settings);
    if (asked.traces.length === 0 && asked.metrics.length === 0) return;
    const { startSdk } = await import('./sdk.ts');
    telemetryHas({ started: await startSdk(environment, settings, asked) });
  } catch (error) {
    telemetryHas({ failed: error });
  }
}
