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

/** A subject, and who may do what with it. */
export interface BusSubject {
  readonly subject: string;
  readonly publishers: readonly BusUser[];
  readonly subscribers: readonly BusUser[];
  /** Whether it is a pattern, on which nothing can be published. */
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

/** What a service may come to serve, without a change to any server. */
const future: readonly BusSubject[] = services.flatMap((service) => [
  { subject: `op.${service}.new.operation`, publishers: ['gateway'], subscribers: [service] },
  { subject: `${service}.new_call`, publishers: [], subscribers: [service] },
  { subject: `admin.${service}.new_command`, publishers: [], subscribers: [service] },
]);

/** Replies come to whom they are meant for, and are permitted only to whom a question came. */
const inboxes: readonly BusSubject[] = busUsers.flatMap((user) => [
  { subject: `${inboxPrefix(user)}.connection.question`, publishers: [], subscribers: [user] },
  { subject: `${inboxPrefix(user)}.>`, publishers: [], subscribers: [user], isPattern: true },
]);

const nobodys: readonly BusSubject[] = [
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

/** Every subject there is, by the registry, with what may come and what nobody has. */
export const busSubjects: readonly BusSubject[] = [...declared, ...future, ...inboxes, ...nobodys];
