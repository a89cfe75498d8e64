import { durations } from '@action-platform/telemetry';
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type {
  CommandFailedEvent,
  CommandStartedEvent,
  CommandSucceededEvent,
  MongoClient,
  MongoError,
} from 'mongodb';

const tracer = trace.getTracer('@action-platform/mongo');

const commanding = durations('db.client.operation.duration');

/** The span of a command; the same for every such command. */
interface Described {
  readonly name: string;
  readonly attributes: Attributes;
  /** Of them what tells its measurements apart. */
  readonly measured: Attributes;
}

/** A command under way. */
interface UnderWay {
  readonly described: Described;
  readonly span: Span | undefined;
}

/**
 * Measures every command, and makes a span of those that are part of something that is traced, by the conventions for
 * databases, for as long as the client is open. What is asked for is not in it: filters and documents hold what nobody is to see.
 */
export function observeCommands(client: MongoClient): void {
  const described = new Map<string, Described>();
  const underWay = new Map<number, UnderWay>();

  const begin = (event: CommandStartedEvent): void => {
    const { commandName, databaseName, address, command, requestId } = event;
    const collection = collectionOf(commandName, command);
    const key = `${commandName} ${collection} ${address}`;
    let known = described.get(key);
    if (known === undefined) {
      known = describe(commandName, collection, databaseName, address);
      described.set(key, known);
    }
    underWay.set(requestId, { described: known, span: spanOf(known, command) });
  };

  const end = (
    { requestId, duration }: CommandSucceededEvent | CommandFailedEvent,
    failure?: Error,
  ): void => {
    const command = underWay.get(requestId);
    if (command === undefined) return;
    underWay.delete(requestId);
    const { described, span } = command;
    const { measured } = described;
    commanding(duration, failure === undefined ? measured : { ...measured, 'error.type': failure.name });
    if (span === undefined) return;
    if (failure !== undefined) {
      const { code } = failure as MongoError;
      if (code !== undefined) span.setAttribute('db.response.status_code', String(code));
      span.setAttribute('error.type', failure.name).setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };

  client.on('commandStarted', begin);
  client.on('commandSucceeded', end);
  client.on('commandFailed', (event) => end(event, event.failure));
}

/** The span of a command; undefined when it is part of nothing that is traced. */
function spanOf({ name, attributes }: Described, command: CommandStartedEvent['command']): Span | undefined {
  if (trace.getActiveSpan() === undefined) return undefined;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  const size = (command.ops ?? command.documents ?? command.updates ?? command.deletes)?.length ?? 1;
  // By the conventions only what is a batch has a size.
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

/** The collection that a command is about; of a write to several the first, and the empty string when it is about none. */
function collectionOf(commandName: string, command: CommandStartedEvent['command']): string {
  if (commandName === 'getMore') return String(command.collection);
  if (commandName === 'bulkWrite') return command.nsInfo[0]?.ns.split('.').slice(1).join('.') ?? '';
  const named: unknown = command[commandName];
  return typeof named === 'string' ? named : '';
}
