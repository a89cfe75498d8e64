/** The declaration of a metric. */
interface Declared {
  /** `duration` (in seconds) and `size` (in items) are histograms, `count` is a counter, `gauge` is read at each collection. */
  readonly kind: 'duration' | 'size' | 'count' | 'gauge';
  readonly description: string;
  /** The unit of a count or gauge, in UCUM. */
  readonly unit?: string;
  /** The names of its attributes, whose values have a low cardinality. */
  readonly attributes: readonly string[];
}

/**
 * Every metric of the platform itself, named by the semantic conventions of OpenTelemetry where they have a name. One place measures each, for
 * all operations and calls. Docs and checks are made from this list.
 */
export const metricsDeclared = {
  'http.server.request.duration': {
    kind: 'duration',
    description: 'From the head of a request until its answer is sent.',
    attributes: [
      'http.request.method',
      'http.route',
      'http.response.status_code',
      'operation.id',
      'error.type',
    ],
  },
  'http.server.active_requests': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests in progress, without those that were refused unread.',
    attributes: [],
  },
  'http.server.rejected_requests': {
    kind: 'count',
    unit: '{request}',
    description: 'Requests that were refused unread.',
    attributes: [],
  },
  'messaging.client.operation.duration': {
    kind: 'duration',
    description:
      'From a request on a subject of the bus until its answer begins. On `grants.authorize` it is the time for authorization.',
    attributes: ['messaging.system', 'messaging.destination.name', 'error.type'],
  },
  'call.duration': {
    kind: 'duration',
    description: 'From the arrival of a call at a service until its answer can begin.',
    attributes: ['call.name', 'error.type'],
  },
  'call.queue.duration': {
    kind: 'duration',
    description: 'How long queued calls waited.',
    attributes: ['call.name'],
  },
  'call.shed': {
    kind: 'count',
    unit: '{call}',
    description: 'Calls that were refused before they began.',
    attributes: ['call.name'],
  },
  'call.in_flight': {
    kind: 'gauge',
    unit: '{call}',
    description: 'Calls in progress or queued.',
    attributes: [],
  },
  'call.waiting': {
    kind: 'gauge',
    unit: '{call}',
    description: 'Queued calls.',
    attributes: [],
  },
  'batch.items': {
    kind: 'size',
    description: 'Items of a batch for the database.',
    attributes: ['batch.name'],
  },
  'batch.wait.duration': {
    kind: 'duration',
    description: 'How long the first item of a batch waited for the batch to start.',
    attributes: ['batch.name'],
  },
  'db.client.operation.duration': {
    kind: 'duration',
    description: 'How long MongoDB took for a command.',
    attributes: ['db.system.name', 'db.operation.name', 'db.collection.name', 'error.type'],
  },
  'db.client.connection.count': {
    kind: 'gauge',
    unit: '{connection}',
    description: 'Connections to MongoDB.',
    attributes: ['db.client.connection.state'],
  },
  'db.client.connection.pending_requests': {
    kind: 'gauge',
    unit: '{request}',
    description: 'Commands that wait for a connection.',
    attributes: [],
  },
  'db.client.connection.wait_time': {
    kind: 'duration',
    description: 'How long a command waited for a connection, when none was free.',
    attributes: [],
  },
  'db.client.writable': {
    kind: 'gauge',
    unit: '1',
    description: '1 while this process sees a MongoDB that takes writes, otherwise 0.',
    attributes: [],
  },
  'mail.provider.duration': {
    kind: 'duration',
    description: 'How long a call of a mail system took.',
    attributes: ['mail.provider', 'mail.operation', 'error.type'],
  },
  'files.listing_kept': {
    kind: 'gauge',
    unit: '1',
    description:
      'Whether the listing of FILES_DIR is kept because the folder is missing or was emptied: 1, or else 0.',
    attributes: [],
  },
  'quota.in_doubt': {
    kind: 'gauge',
    unit: '{workspace}',
    description: 'Workspaces with old reservations that the last recovery pass could not decide.',
    attributes: [],
  },
  'quota.repairs': {
    kind: 'count',
    unit: '{workspace}',
    description: 'Workspaces whose old reservations recovery decided, once for each time.',
    attributes: [],
  },
  'quota.drift': {
    kind: 'count',
    unit: 'By',
    description: 'Bytes by which recounts corrected the usage of Workspaces.',
    attributes: ['counted'],
  },
  'bus.reconnects': {
    kind: 'count',
    unit: '{connection}',
    description: 'Reconnections to the bus.',
    attributes: [],
  },
  'bus.replicas': {
    kind: 'gauge',
    unit: '{replica}',
    description: 'Replicas of a service that this process heard from lately.',
    attributes: ['service'],
  },
  'telemetry.traces.kept': {
    kind: 'count',
    unit: '{trace}',
    description: 'Unsampled traces that were exported after the fact.',
    attributes: [],
  },
  'telemetry.traces.dropped': {
    kind: 'count',
    unit: '{trace}',
    description:
      'Traces of failed or slow requests that were dropped by the rate limits of retroactive sampling.',
    attributes: [],
  },
} as const satisfies Readonly<Record<string, Declared>>;

type MetricName = keyof typeof metricsDeclared;
/** The metrics of one kind. */
export type MetricOf<Kind extends Declared['kind']> = {
  [Name in MetricName]: (typeof metricsDeclared)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
