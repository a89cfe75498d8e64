/** The declaration of a metric. */
interface Declared<Kind extends MetricKind = MetricKind> {
  /** `duration` (in seconds) and `size` (in items) are histograms, `count` is a counter, `gauge` is read at each collection. */
  readonly kind: Kind;
  /** In UCUM. */
  readonly unit: string;
  readonly description: string;
  /** The names of its attributes, whose values have a low cardinality. */
  readonly attributes: readonly string[];
}
type MetricKind = 'duration' | 'size' | 'count' | 'gauge';

/**
 * Every metric of the platform itself, named by the semantic conventions of OpenTelemetry where they have a name. One place measures each, for
 * all operations and calls. Docs and checks are made from this list.
 */
export const metricsDeclared = {
  'http.server.request.duration': duration(
    'From the head of a request until its answer is sent, without the time for which the request waited for events. Without a status, the caller left before the answer.',
    'http.request.method',
    'http.route',
    'http.response.status_code',
    'operation.id',
    'error.type',
  ),
  'mcp.server.operation.duration': duration(
    'From the head of a request with an MCP message until its answer is sent.',
    'mcp.method.name',
    'mcp.protocol.version',
    'gen_ai.operation.name',
    'gen_ai.tool.name',
    'error.type',
  ),
  'http.server.active_requests': gauge(
    '{request}',
    'Requests in progress, without those that were refused unread.',
  ),
  'workspace.calls': gauge(
    '{request}/s',
    'Calls a second of the 20 busiest Workspaces of the last five minutes.',
    'workspace.id',
    'outcome',
  ),
  'http.server.event_streams': gauge('{stream}', 'Connections that follow change events.'),
  'http.server.rejected_requests': count('{request}', 'Requests that were refused unread.'),
  'messaging.client.operation.duration': duration(
    'From a request on a subject of the bus until its answer begins. On `grants.authorize` it is the time for authorization.',
    'messaging.system',
    'messaging.destination.name',
    'error.type',
  ),
  'call.duration': duration(
    'From the arrival of a call at a service until its answer can begin.',
    'call.name',
    'error.type',
  ),
  'call.queue.duration': duration('How long queued calls waited.', 'call.name'),
  'call.shed': count('{call}', 'Calls that were refused before they began.', 'call.name'),
  'call.in_flight': gauge('{call}', 'Calls in progress or queued.'),
  'call.waiting': gauge('{call}', 'Queued calls.'),
  'batch.items': size('Items of a batch for the database.', 'batch.name'),
  'batch.wait.duration': duration(
    'How long the first item of a batch waited for the batch to start.',
    'batch.name',
  ),
  'db.client.operation.duration': duration(
    'How long MongoDB took for a command.',
    'db.system.name',
    'db.operation.name',
    'db.collection.name',
    'error.type',
  ),
  'db.client.connection.count': gauge(
    '{connection}',
    'Connections to MongoDB.',
    'db.client.connection.state',
  ),
  'db.client.connection.pending_requests': gauge('{request}', 'Commands that wait for a connection.'),
  'db.client.connection.wait_time': duration(
    'How long a command waited for a connection, when none was free.',
  ),
  'db.client.writable': gauge('1', '1 while this process sees a MongoDB that takes writes, otherwise 0.'),
  'db.client.members.missing': gauge(
    '{member}',
    "Members of MongoDB's replica set that this process does not reach.",
  ),
  'db.client.filesystem.fill': gauge(
    '1',
    'The used part of the file system with the data of MongoDB, each minute.',
  ),
  'mail.provider.duration': duration(
    'How long a call of a mail system took.',
    'mail.provider',
    'mail.operation',
    'error.type',
  ),
  'webhook.attempt.duration': duration(
    'How long a request to a webhook endpoint took, by the state after it: delivered, retried or dead.',
    'webhook.outcome',
    'error.type',
  ),
  'webhook.failures': count(
    '{failure}',
    'Failed deliveries to webhook endpoints that the endpoint did not cause.',
  ),
  'webhook.endpoints': gauge(
    '{endpoint}',
    'Webhook endpoints of this process; those whose last five attempts failed are failing.',
    'webhook.state',
  ),
  'webhook.lag': gauge(
    's',
    'The age of the oldest event that is not in the queue of webhooks yet; 0 in replicas that do not read the stream.',
  ),
  'custom.endpoint.duration': duration(
    'How long a request to the endpoint of a custom operation took, by its outcome: done, refused, unavailable or unknown.',
    'custom.outcome',
  ),
  'files.listing_kept': gauge(
    '1',
    '1 while the listing of FILES_DIR or FILES_S3_BUCKET is kept because it cannot be read or was emptied.',
  ),
  'erasure.failing': gauge(
    '{erasure}',
    'Due erasures of Workspaces and Members whose last attempt failed or ended its process.',
  ),
  'mailbox.changes.failing': gauge(
    '{membership}',
    'Memberships whose change of mailbox the mail service could not be told.',
  ),
  'quota.in_doubt': gauge(
    '{workspace}',
    'Workspaces with old reservations that the last recovery pass could not decide.',
  ),
  'quota.repairs': count('{workspace}', 'Workspaces whose old reservations recovery decided.'),
  'quota.drift': count('By', 'Bytes by which recounts corrected the usage of Workspaces.', 'counted'),
  'changes.tail.lag': gauge(
    's',
    'How long the oldest change has waited for JetStream, or how long its publication has failed or waited for MongoDB.',
  ),
  'changes.duration': duration("From the commit of a batch's first change until JetStream acknowledged all."),
  'changes.published': count('{event}', 'Change events that JetStream acknowledged, repetitions included.'),
  'changes.gaps': count(
    '{gap}',
    'How often the oplog did not reach back, or a document could not become an event.',
  ),
  'work.busy': count(
    's',
    'How long a replica was busy with work that one replica does at a time: change_feed, audit_intake or webhook_fan_out.',
    'work.name',
  ),
  'bus.reconnects': count('{connection}', 'Reconnections to the bus.'),
  'bus.servers.reached': gauge(
    '{server}',
    "Servers of the NATS cluster that this process's server reaches, with itself; 0 without a cluster.",
  ),
  'bus.connected': gauge('1', '1 while this process is connected to a NATS server, otherwise 0.'),
  'clock.difference': gauge(
    's',
    "The largest difference between this process's clock and those of other replicas.",
  ),
  'tls.authority.valid': gauge(
    's',
    "How long the authority in NATS_CA_FILE, and with it the servers' certificates, is valid.",
  ),
  'session.issuer.reachable': gauge(
    '1',
    '1 while the keys of an issuer of session tokens can be fetched, otherwise 0.',
    'issuer',
  ),
  'bus.replicas': gauge('{replica}', 'Replicas of a service that this process heard from lately.', 'service'),
  'audit.buffer.size': gauge(
    'By',
    'Bytes of entries for the audit log that JetStream has not acknowledged yet.',
  ),
  'audit.entries.lost': count('{entry}', 'Entries of the audit log that a process could not hold or send.'),
  'audit.intake.lag': gauge('s', 'The age of the oldest entry that the audit log may be missing.'),
  'stream.lost': count(
    '{stream}',
    'How often a reader found that a stream was created anew, or set back to a backup.',
    'stream.name',
  ),
  'stream.fill': gauge(
    '1',
    "The used part of a stream's size: at 1 it drops its oldest messages.",
    'stream.name',
  ),
  'telemetry.traces.kept': count('{trace}', 'Unsampled traces that were exported after the fact.'),
  'telemetry.traces.dropped': count('{trace}', 'Traces of failed or slow requests that rate limits dropped.'),
} as const satisfies Readonly<Record<string, Declared>>;

type MetricName = keyof typeof metricsDeclared;
/** The metrics of one kind. */
export type MetricOf<Kind extends MetricKind> = {
  [Name in MetricName]: (typeof metricsDeclared)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

function duration(description: string, ...attributes: readonly string[]): Declared<'duration'> {
  return { kind: 'duration', unit: 's', description, attributes };
}

function size(description: string, ...attributes: readonly string[]): Declared<'size'> {
  return { kind: 'size', unit: '{item}', description, attributes };
}

function count(unit: string, description: string, ...attributes: readonly string[]): Declared<'count'> {
  return { kind: 'count', unit, description, attributes };
}

function gauge(unit: string, description: string, ...attributes: readonly string[]): Declared<'gauge'> {
  return { kind: 'gauge', unit, description, attributes };
}
