/** Ends telemetry after sending what is left. */
export type StopTelemetry = () => Promise<void>;

/**
 * Starts OpenTelemetry when the standard `OTEL_*` variables ask for it (OpenTelemetry specification,
 * "Environment Variable Specification"); without them nothing is loaded and nothing is spent.
 */
export async function startTelemetry(
  service: string,
  environment: NodeJS.ProcessEnv,
): Promise<StopTelemetry> {
  const isAsked =
    environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    ['OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER'].some(
      (name) => (environment[name] ?? 'none') !== 'none',
    );
  if (!isAsked) return async () => {};
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ serviceName: environment.OTEL_SERVICE_NAME ?? service });
  sdk.start();
  return () => sdk.shutdown();
}
