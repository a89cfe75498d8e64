import { writeFileSync } from 'node:fs';
import { metricsDeclared } from './metrics/declared.ts';

/** The suffix of a metric's series in Prometheus. */
const series = { duration: '_bucket', size: '_bucket', count: '_total', gauge: '' } as const;
const units = { duration: 's', size: '{item}' } as const;

/** docs/telemetry.md: the declared metrics, the attributes of spans and the fields of log lines. */
export const telemetryMd = {
  file: new URL('../../../docs/telemetry.md', import.meta.url),
  content: `# Telemetry

The names that dashboards, alerts and queries may rely on. \`npm run docs\` writes this page from the declarations in \`libs/telemetry\`.
[Architecture](architecture.md#observing-it) says how it works, [configuration](configuration.md#telemetry) how to turn it on.

## Metrics

Histograms have \`_bucket\`, \`_count\` and \`_sum\`; durations are in seconds. Dots become underscores for Prometheus. \`error.type\` is the code of the
error catalogue, and empty or missing for a success.

| Metric | Prometheus | Unit | Attributes | Meaning |
|---|---|---|---|---|
${Object.entries(metricsDeclared).map(rowOf).join('\n')}

OpenTelemetry's \`instrumentation-runtime-node\` adds those of Node.js and V8, such as \`nodejs.eventloop.delay.p99\`,
\`nodejs.eventloop.utilization\`, \`v8js.memory.heap.used\` and \`v8js.gc.duration\`.

From a panel to a trace: \`npm run trace -- --slowest\` or \`--last-error\` on the local stack, a search by \`operation.id\`, \`error.type\` or duration in Jaeger, or the
\`trace_id\` of a log line. Histograms have no exemplars, as OpenTelemetry for Node.js makes none.

## Spans

| Span | Kind | Attributes |
|---|---|---|
| \`<method> <route>\`, in the gateway | server | \`http.request.method\`, \`http.route\`, \`http.response.status_code\`, \`url.scheme\`, \`request.id\`, \`operation.id\`, \`workspace.id\`, \`error.type\`, \`trace.keep\`, \`http.response.broken_off\` |
| \`request <subject>\`, the requester on the bus | client | \`messaging.system\`, \`messaging.operation.name\`, \`messaging.operation.type\`, \`messaging.destination.name\`, \`error.type\`, \`bus.failure\` |
| \`process <subject>\`, the responder | server | the same without \`bus.failure\`, and \`request.id\`, \`workspace.id\`, \`grant.id\`, \`replayed\`, \`operation.outcome\` (\`failed\` or \`unknown\`, of a result that was answered with 200), \`trace.keep\` |
| \`wait for a turn\` | internal | |
| \`batched <name>\`, the part of a request in a batch for the database; it links the batch | internal | \`batch.name\` |
| \`batch <name>\`, which links its \`batched\` spans | internal | \`batch.name\`, \`batch.items\` |
| \`<command> <collection>\`, MongoDB | client | \`db.system.name\`, \`db.operation.name\`, \`db.namespace\`, \`db.collection.name\`, \`db.operation.batch.size\`, \`db.response.status_code\`, \`server.address\`, \`server.port\`, \`error.type\` |
| \`mail <operation>\`, a mail system | client | \`mail.provider\`, \`error.type\` |
| \`files refresh\`, a changed folder | internal | \`error.type\` |

The resource of every span is \`service.name\`, \`service.namespace\`, \`service.version\`, \`service.instance.id\`, \`host.*\` and \`process.*\`.

## Lines of the log

A request has one line of JSON in each process that it reaches, with \`msg\` \`answered\`.

| Field | Where | Meaning |
|---|---|---|
| \`request_id\`, \`trace_id\`, \`span_id\` | all | The ids to find it by. |
| \`method\`, \`route\`, \`status\`, \`operation\` | gateway | The request, and the operation it calls. |
| \`call\` | services | The operation or the call. |
| \`workspace_id\`, \`user_id\`, \`grant_id\` | all | The caller, as far as known. |
| \`code\` | all | The code of the error, or \`ok\`. |
| \`duration_ms\` | all | The whole duration. |
| \`body_ms\` | gateway | How much of that the body took to arrive, when it was not there with its head. |
| \`authority_ms\`, \`service_ms\` | gateway | The time of authorization and of the service. |
| \`queue_ms\` | services | The time in the queue. |
| \`is_replay\` | services | Whether the answer repeats that of an earlier call. |
`,
};

function rowOf([name, { kind, description, attributes, ...rest }]: [
  string,
  { kind: keyof typeof series; description: string; attributes: readonly string[]; unit?: string },
]): string {
  const unit = rest.unit ?? units[kind as keyof typeof units];
  const listed = attributes.map((attribute) => `\`${attribute}\``).join(', ');
  const prometheus = name.replaceAll('.', '_') + series[kind];
  return `| \`${name}\` | \`${prometheus}\` | \`${unit}\` | ${listed} | ${description} |`;
}

if (import.meta.main) writeFileSync(telemetryMd.file, telemetryMd.content);
