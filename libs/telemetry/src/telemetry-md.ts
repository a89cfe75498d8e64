import { writeFileSync } from 'node:fs';
import { metricsDeclared } from './metrics/declared.ts';

/** What Prometheus calls the series of a metric. */
const series = { duration: '_bucket', size: '_bucket', count: '_total', gauge: '' } as const;
const units = { duration: 's', size: '{item}' } as const;

/** docs/telemetry.md: every metric that is declared, and what spans and lines of the log have. */
export const telemetryMd = {
  file: new URL('../../../docs/telemetry.md', import.meta.url),
  content: `# Telemetry

The names that dashboards, alerts and queries may rest on. \`npm run docs\` writes this page from what is declared in \`libs/telemetry\`; how it
works is in [architecture](architecture.md#observing-it), how to turn it on in [configuration](configuration.md#telemetry).

## Metrics

Histograms have \`_bucket\`, \`_count\` and \`_sum\`; durations are in seconds. Dots become underscores for Prometheus. \`error.type\` is the code of the
error catalogue, and the empty string, or missing, when there was none. Every process has those that it has a use for.

| Metric | Prometheus | Unit | Told apart by | Meaning |
|---|---|---|---|---|
${Object.entries(metricsDeclared).map(rowOf).join('\n')}

Besides, those of Node.js and V8 as OpenTelemetry's \`instrumentation-runtime-node\` has them, such as \`nodejs.eventloop.delay.p99\`,
\`nodejs.eventloop.utilization\`, \`v8js.memory.heap.used\` and \`v8js.gc.duration\`.

From a slow or failed request to its trace leads its line in the log, or its request id, and **exemplars**: who asks a \`METRICS_PORT\` for OpenMetrics, as
Prometheus does, is told for each bucket of a histogram the trace (\`trace_id\`) of the last request in it whose trace was exported, at once or in hindsight.
Prometheus keeps them with \`--enable-feature=exemplar-storage\` and gives them at \`/api/v1/query_exemplars\`. OTLP has them not: OpenTelemetry
for Node.js makes none.

## Spans

| Span | Kind | Attributes |
|---|---|---|
| \`<method> <route>\`, in the gateway | server | \`http.request.method\`, \`http.route\`, \`http.response.status_code\`, \`url.scheme\`, \`request.id\`, \`operation.id\`, \`workspace.id\`, \`error.type\`, \`trace.keep\`, \`http.response.broken_off\` |
| \`request <subject>\`, who asks on the bus | client | \`messaging.system\`, \`messaging.operation.name\`, \`messaging.operation.type\`, \`messaging.destination.name\`, \`error.type\` |
| \`process <subject>\`, who answers | server | the same, and \`request.id\`, \`workspace.id\`, \`grant.id\`, \`replayed\`, \`operation.outcome\` (\`failed\` or \`unknown\`, of a result that was answered with 200), \`trace.keep\` |
| \`wait for a turn\` | internal | |
| \`batched <name>\`, a request that goes to the database with others; it links its batch | internal | \`batch.name\` |
| \`batch <name>\`, which links all that are in it | internal | \`batch.name\`, \`batch.items\` |
| \`<command> <collection>\`, MongoDB | client | \`db.system.name\`, \`db.operation.name\`, \`db.namespace\`, \`db.collection.name\`, \`db.operation.batch.size\`, \`db.response.status_code\`, \`server.address\`, \`server.port\`, \`error.type\` |
| \`mail <operation>\`, a mail system | client | \`mail.provider\`, \`error.type\` |
| \`files refresh\`, a folder that has changed | internal | \`error.type\` |

The resource of each is \`service.name\`, \`service.namespace\`, \`service.version\`, \`service.instance.id\`, \`host.*\` and \`process.*\`.

## Lines of the log

One line of JSON for a request in each process that it reaches; its \`msg\` is \`answered\`.

| Field | Where | Meaning |
|---|---|---|
| \`request_id\`, \`trace_id\`, \`span_id\` | all | What it is found by, and its place in the trace. |
| \`method\`, \`route\`, \`status\`, \`operation\` | gateway | The request, and the operation that it calls. |
| \`call\` | services | The operation or the call. |
| \`workspace_id\`, \`user_id\`, \`grant_id\` | all | Whose it is, as far as it is known. |
| \`code\` | all | The code of the error, or \`ok\`. |
| \`duration_ms\` | all | All of it. |
| \`authority_ms\`, \`service_ms\` | gateway | How much grants, and the service, took of that. |
| \`queue_ms\` | services | How much of it was waiting for a turn. |
| \`is_replay\` | services | Whether the answer of an earlier call was given again. |
`,
};

function rowOf([name, { kind, description, attributes, ...rest }]: [
  string,
  { kind: keyof typeof series; description: string; attributes: readonly string[]; unit?: string },
]): string {
  const unit = rest.unit ?? units[kind as keyof typeof units];
  const toldApart = attributes.map((attribute) => `\`${attribute}\``).join(', ');
  const prometheus = name.replaceAll('.', '_') + series[kind];
  return `| \`${name}\` | \`${prometheus}\` | \`${unit}\` | ${toldApart} | ${description} |`;
}

if (import.meta.main) writeFileSync(telemetryMd.file, telemetryMd.content);
