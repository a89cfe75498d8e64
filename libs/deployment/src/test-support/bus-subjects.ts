import {
  type BusUser,
  busUsers,
  calls,
  events,
  inboxPrefix,
  operationSubject,
  operations,
  services,
} from '@action-platform/contracts';

/** A subject with the users that may publish on it and subscribe to it. */
export interface BusSubject {
  readonly subject: string;
  readonly publishers: readonly BusUser[];
  readonly subscribers: readonly BusUser[];
  /** Whether it is a pattern, on which no client can publish. */
  readonly isPattern?: boolean;
}

const declared: readonly BusSubject[] = [
  ...[...operations.values()].map((operation) => ({
    subject: operationSubject(operation),
    publishers: operation.callers,
    subscribers: [operation.service],
  })),
  ...calls.map(({ subject, callers, service }) => ({ subject, publishers: callers, subscribers: [service] })),
  ...events,
];

/** Subjects that a newer version of a service may serve without a change to any server. */
const future: readonly BusSubject[] = services.flatMap((service) => [
  { subject: `op.${service}.new.operation`, publishers: ['gateway'], subscribers: [service] },
  { subject: `${service}.new_call`, publishers: [], subscribers: [service] },
  { subject: `admin.${service}.new_command`, publishers: [], subscribers: [service] },
]);

/** Inboxes: only their user receives replies, and only a user that received a request may reply. */
const inboxes: readonly BusSubject[] = busUsers.flatMap((user) => [
  { subject: `${inboxPrefix(user)}.connection.request`, publishers: [], subscribers: [user] },
  { subject: `${inboxPrefix(user)}.>`, publishers: [], subscribers: [user], isPattern: true },
]);

/** Subjects that no user may publish on or subscribe to. */
const forbidden: readonly BusSubject[] = [
  ...['>', '*', '*.>', 'op.>', 'op.*.>', 'admin.>', 'health.*', 'event.>', '_INBOX.>', '$SYS.>'].map(
    (subject) => ({
      subject,
      publishers: [],
      subscribers: [],
      isPattern: true,
    }),
  ),
  ...['anything', 'event.anything', '_INBOX.x.0', '$SYS.REQ.SERVER.PING', '$SYS.REQ.USER.INFO'].map(
    (subject) => ({
      subject,
      publishers: [],
      subscribers: [],
    }),
  ),
];

/** Every subject of the registry, with future, reply and forbidden subjects. */
export const busSubjects: readonly BusSubject[] = [...declared, ...future, ...inboxes, ...forbidden];
