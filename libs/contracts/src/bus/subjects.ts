import { callersOf, calls } from '../calls/all-calls.ts';
import { type BusUser, type ServiceName, services } from '../services/services.ts';
import { events } from './events/all-events.ts';
import { streamPermissions } from './stream-permissions.ts';
import { streams } from './streams/all-streams.ts';

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
export function permissionsOf(user: BusUser): SubjectPermissions {
  const made = calls.filter(({ callers, subject }) => callers.includes(user) && !subject.startsWith('op.'));
  const published = events.filter(({ publishers }) => publishers.includes(user));
  const heard = events.filter(({ subscribers }) => subscribers.includes(user));
  const probed = services.filter((service) => callersOf(service).includes(user));
  return {
    publish: [
      // The calls for its callers, future ones too.
      ...(user === 'gateway' ? ['op.>'] : []),
      ...made.map(({ subject }) => subject),
      ...probed.map((service) => `replica.${service}.>`),
      ...published.map(({ subject }) => subject),
      ...streams.flatMap((stream) => streamPermissions(stream, user)),
    ],
    subscribe: [
      ...(isService(user) ? servedBy(user) : []),
      ...heard.map(({ subject }) => subject),
      `${inboxPrefix(user)}.>`,
    ],
  };
}
