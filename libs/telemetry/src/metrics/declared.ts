/** What can be told of a metric before anything is measured. */
interface Declared {
  /** `duration` in seconds and `size` in items are histograms, `count` only grows, `gauge` is as it is when it is asked. */
  readonly kind: 'duration' | 'size' | 'count' | 'gauge';
  readonly description: string;
  /** The unit, in UCUM, of what is no duration or size. */
  readonly unit?: string;
  /** What its measurements are told apart by: names of low cardinality. */
  readonly attributes: readonly string[];
}

/**
 * Every metric of the platform's own, by the semantic conventions of OpenTelemetry where they have a name for it. Each is measured in
 * one place, for every operation and call alike. Docs and checks are made from this list.
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
    description: 'Requests that were let in.',
    attributes: [],
  },
  'http.server.turned_away': {
    kind: 'count',
    unit: '{request}',
    description: 'Requests that were refused before anything was done for them.',
    attributes: [],
  },
  'messaging.client.operation.duration': {
    kind: 'duration',
    description:
      'From asking on a subject of the bus until the answer begins. On `grants.authorize` it is what authority takes.',
    attributes: ['messaging.system', 'messaging.destination.name', 'error.type'],
  },
  'call.duration': {
    kind: 'duration',
    description: 'From the arrival of a call at a service until its answer can begin.',
    attributes: ['call.name', 'error.type'],
  },
  'call.queue.duration': {
    kind: 'duration',
    description: 'How long calls waited that had to wait for their turn.',
    attributes: ['call.name'],
  },
  'call.shed': {
    kind: 'count',
    unit: '{call}',
    description: 'Calls that were refused before they were begun.',
    attributes: ['call.name'],
  },
  'call.in_flight': { kind: 'gauge', unit: '{call}', description: 'Calls taken on.', attributes: [] },
  'call.waiting': {
    kind: 'gauge',
    unit: '{call}',
    description: 'Calls that wait for their turn.',
    attributes: [],
  },
  'batch.items': {
    kind: 'size',
    description: 'Items that went to the database together.',
    attributes: ['batch.name'],
  },
  'batch.wait.duration': {
    kind: 'duration',
    description: 'How long the first item of a batch waited until the batch went out.',
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
    description: 'Whether this process sees a MongoDB that takes writes: 1, or else 0.',
    attributes: [],
  },
  'mail.provider.duration': {
    kind: 'duration',
    description: 'How long a mail system took.',
    attributes: ['mail.provider', 'mail.operation', 'error.type'],
  },
  'quota.in_doubt': {
    kind: 'gauge',
    unit: '{workspace}',
    description: 'Workspaces whose old reservations could not be decided at the last look.',
    attributes: [],
  },
  'quota.repairs': {
    kind: 'count',
    unit: '{workspace}',
    description: 'Times that a Workspace had old reservations which had to be decided.',
    attributes: [],
  },
  'quota.drift': {
    kind: 'count',
    unit: 'By',
    description: 'Bytes by which recounts found the usage of Workspaces to be wrong.',
    attributes: ['counted'],
  },
  'bus.reconnects': {
    kind: 'count',
    unit: '{connection}',
    description: 'Connections to the bus made anew.',
    attributes: [],
  },
  'bus.replicas': {
    kind: 'gauge',
    unit: '{replica}',
    description: 'Replicas of a service that this process has heard of lately.',
    attributes: ['service'],
  },
  'telemetry.traces.kept': {
    kind: 'count',
    unit: '{trace}',
    description: 'Traces that were exported in hindsight.',
    attributes: [],
  },
  'telemetry.traces.dropped': {
    kind: 'count',
    unit: '{trace}',
    description: 'Traces worth keeping that were not kept, as there were too many.',
    attributes: [],
  },
} as const satisfies Readonly<Record<string, Declared>>;

type MetricName = keyof typeof metricsDeclared;
/** The metrics of one kind. */
export type MetricOf<Kind extends Declared['kind']> = {
  [Name in MetricName]: (typeof metricsDeclared)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
