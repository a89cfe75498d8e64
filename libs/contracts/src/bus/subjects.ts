import { callersOf, calls } from '../calls/all-calls.ts';
import type { Call } from '../declaration/call.ts';
import { events as allEvents } from '../events/all-events.ts';
import type { Event } from '../events/event.ts';
import { type BusUser, type ServiceName, services } from '../services.ts';
import { streams } from '../streams/all-streams.ts';
import { streamPermissions } from './stream-permissions.ts';

/** The subject of liveness probes and in-flight reconciliation of one replica of a service. */
export function replicaSubject(service: ServiceName, replica: string): string {
  return `replica.${service}.${replica}`;
}

/** The prefix of the subjects on which only this bus user receives replies. */
export function inboxPrefix(user: BusUser): string {
  return `_INBOX_${user}`;
}

/** Whether a bus user is one of the services behind the gateway. */
export function isService(user: BusUser): user is ServiceName {
  return (services as readonly string[]).includes(user);
}

/** The subjects of a service. Its name determines them, so that they cover future operations and calls. */
function servedBy(service: ServiceName): readonly string[] {
  return [
    `op.${service}.>`,
    `${service}.>`,
    `admin.${service}.>`,
    `health.${service}`,
    `replica.${service}.>`,
  ];
}

/** The service that serves a subject; undefined when no service may. */
export function serviceOfSubject(subject: string): ServiceName | undefined {
  return services.find((service) => servedBy(service).some((served) => covers(served, subject)));
}

/** Whether a user may send requests on a subject. */
export function mayPublish(user: BusUser, subject: string): boolean {
  return permissionsOf(user).publish.some((permitted) => covers(permitted, subject));
}

/** Whether a permission, which may end in `.>`, covers a subject. */
function covers(permitted: string, subject: string): boolean {
  return permitted.endsWith('.>') ? subject.startsWith(permitted.slice(0, -1)) : subject === permitted;
}

/** The permissions of a bus user. NATS also permits replies to received messages. */
export interface SubjectPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * The least permissions of a bus user: to make the calls that name it as a caller, to serve its own, to receive replies. A service
 * serves subjects under its name, so a new call of the gateway changes no server's configuration.
 */
export function permissionsOf(
  user: BusUser,
  events: readonly Event[] = allEvents,
  declared: readonly Call[] = calls,
): SubjectPermissions {
  const isForCallers = ({ subject }: Call) => subject.startsWith('op.');
  const made = declared.filter(({ callers }) => callers.includes(user));
  const forCallers = made.filter(isForCallers);
  const mayMakeAll = forCallers.length === declared.filter(isForCallers).length;
  const subjects = (mayMakeAll ? made.filter((call) => !isForCallers(call)) : made).map(
    ({ subject }) => subject,
  );
  const published = events
    .filter(({ publishers }) => publishers.includes(user))
    .map(({ subject }) => subject);
  const heard = events.filter(({ subscribers }) => subscribers.includes(user)).map(({ subject }) => subject);
  const probed = services.filter((service) => callersOf(service).includes(user));
  const served = isService(user) ? servedBy(user) : [];
  const stored = streams.flatMap((stream) => streamPermissions(stream, user));
  return {
    publish: [
      // Future ones too.
      ...(mayMakeAll ? ['op.>'] : []),
      ...subjects,
      ...probed.map((service) => `replica.${service}.>`),
      ...published,
      ...stored,
    ],
    subscribe: [...served, ...heard, `${inboxPrefix(user)}.>`],
  };
}
