import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { expect, test } from '@jest/globals';
import { exportersOf } from './exporters.ts';
import { telemetrySettings } from './settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const read = (environment: Readonly<Record<string, string>>) =>
  exportersOf(environment, telemetrySettings.parse(environment));

test.each([
  ['nothing', {}, [], []],
  ['an address', ENDPOINT, ['otlp'], ['otlp']],
  ['an address for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318' }, ['otlp'], []],
  ['a port', { METRICS_PORT: '9464' }, [], ['prometheus']],
  [
    'names',
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'console, otlp', OTEL_METRICS_EXPORTER: 'none' },
    ['console', 'otlp'],
    [],
  ],
] as const)('reads the exporters from %s', (_what, environment, traces, metrics) => {
  expect(read(environment)).toEqual({ traces, metrics });
});

test.each([
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: may be none or of otlp, console'],
  [
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/xml' },
    'OTEL_EXPORTER_OTLP_PROTOCOL: may be http/protobuf, http/json, grpc',
  ],
])('refuses %j', (environment, problem) => {
  expect(() => read(environment as never)).toThrow(new WrongConfiguration([problem]));
});
