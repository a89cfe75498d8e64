import { durations } from '@action-platform/telemetry';
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { MongoError } from 'mongodb';
import { type DriverCommand, type DriverConnection, driverConnection } from './driver-connection.ts';

const tracer = trace.getTracer('@action-platform/mongo');

const commanding = durations('db.client.operation.duration');

/** The name and attributes of a command's span; the same for every command of its kind. */
interface Described {
  readonly name: string;
  readonly attributes: Attributes;
  /** The attributes of its measurements. */
  readonly measured: Attributes;
}

/** Commands of the driver's own, which are not measured. */
const NOT_OURS = new Set(['hello', 'ismaster', 'saslStart', 'saslContinue', 'endSessions']);

/** The collection of the cursor of a change stream, whose `getMore` waits for changes: its duration says nothing about MongoDB. */
const CHANGE_STREAM = '$cmd.aggregate';

let isObserving = false;

/**
 * Measures every command of this process from now on, and makes a span for each within a trace, by OpenTelemetry's
 * conventions for databases. Measurements and spans contain no filters, documents, or messages of errors, which quote keys.
 */
export function observeCommands(): void {
  if (isObserving) return;
  isObserving = true;
  const send = driverConnection.command;
  const described = new Map<string, Described>();
  driverConnection.command = function (this: DriverConnection, namespace, command, ...rest) {
    const [name = ''] = Object.keys(command);
    if (NOT_OURS.has(name) || command.collection === CHANGE_STREAM)
      return send.call(this, namespace, command, ...rest);
    const collection = collectionOf(name, command);
    const key = `${name} ${namespace.db} ${collection} ${this.address}`;
    let known = described.get(key);
    if (known === undefined) {
      known = describe(name, collection, namespace.db, this.address);
      described.set(key, known);
    }
    return observed(known, command, () => send.call(this, namespace, command, ...rest));
  };
}

async function observed<Reply>(
  known: Described,
  command: DriverCommand,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { measured } = known;
  const begunAt = performance.now();
  const span = spanOf(known, command);
  try {
    const reply = await send();
    commanding(performance.now() - begunAt, measured);
    return reply;
  } catch (failure) {
    const { name, code } = failure as MongoError;
    commanding(performance.now() - begunAt, { ...measured, 'error.type': name });
    if (code !== undefined) span?.setAttribute('db.response.status_code', String(code));
    span?.setAttribute('error.type', name).setStatus({ code: SpanStatusCode.ERROR });
    throw failure;
  } finally {
    span?.end();
  }
}

/** The span of a command; undefined outside of a trace. */
function spanOf({ name, attributes }: Described, command: DriverCommand): Span | undefined {
  if (trace.getActiveSpan() === undefined) return undefined;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  const size = itemsOf(command.ops ?? command.documents ?? command.updates ?? command.deletes).length;
  // By the conventions only batches have a size.
  if (size > 1) span.setAttribute('db.operation.batch.size', size);
  return span;
}

function describe(command: string, collection: string, database: string, address: string): Described {
  const [, host = address, port] = /^(.*):(\d+)$/.exec(address) ?? [];
  const attributes: Attributes = {
    'db.system.name': 'mongodb',
    'db.operation.name': command,
    'db.namespace': database,
    'server.address': host,
  };
  if (collection !== '') attributes['db.collection.name'] = collection;
  if (port !== undefined) attributes['server.port'] = Number(port);
  return {
    name: collection === '' ? command : `${command} ${collection}`,
    attributes: Object.freeze(attributes),
    measured: {
      'db.system.name': 'mongodb',
      'db.operation.name': command,
      'db.collection.name': collection,
    },
  };
}

/** The collection of a command: the first of several, or the empty string for a command without one. */
function collectionOf(commandName: string, command: DriverCommand): string {
  if (commandName === 'getMore') return String(command.collection);
  if (commandName === 'bulkWrite') return itemsOf(command.nsInfo)[0]?.ns?.replace(/^[^.]*\./, '') ?? '';
  const named: unknown = command[commandName];
  return typeof named === 'string' ? named : '';
}

/** The items of a list in a command: an array, or the driver's document sequence. */
function itemsOf(list: unknown): readonly { readonly ns?: string }[] {
  if (Array.isArray(list)) return list;
  return (list as { documents?: [] } | undefined)?.documents ?? [];
}
