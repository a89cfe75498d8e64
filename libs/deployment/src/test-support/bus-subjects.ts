import {
  events,
  inboxPrefix,
  replicaEvent,
  replicaSubject,
  streamSubject,
  streamSubjects,
  streams,
} from '@action-platform/contracts/bus';
import { calls } from '@action-platform/contracts/calls';
import { type BusUser, busUsers, services } from '@action-platform/contracts/services';

/** A subject with the users that may publish on it and subscribe to it. */
export interface BusSubject {
  readonly subject: string;
  readonly publishers: readonly BusUser[];
  readonly subscribers: readonly BusUser[];
  /** Whether `subject` is a pattern, on which no client can publish. */
  readonly isPattern?: boolean;
}

const declared: readonly BusSubject[] = [
  ...calls.map(({ subject, callers, service }) => ({ subject, publishers: callers, subscribers: [service] })),
  ...events,
];

/** Subjects that a newer version of a service may serve without a change to any server. */
const future: readonly BusSubject[] = services.flatMap((service) => [
  { subject: `op.${service}.new.operation`, publishers: ['gateway'], subscribers: [service] },
  { subject: `${service}.new_call`, publishers: [], subscribers: [service] },
  { subject: `admin.${service}.new_command`, publishers: [], subscribers: [service] },
]);

/** The subject of one replica, on which those probe it who receive the announcements of its service. */
const replicas: readonly BusSubject[] = services.map((service) => ({
  subject: replicaSubject(service, 'x'),
  publishers: replicaEvent(service).subscribers,
  subscribers: [service],
}));

/** Inboxes: only their user receives replies, and only a user that received a request may reply. */
const inboxes: readonly BusSubject[] = busUsers.flatMap((user) => [
  { subject: `${inboxPrefix(user)}.connection.request`, publishers: [], subscribers: [user] },
  { subject: `${inboxPrefix(user)}.>`, publishers: [], subscribers: [user], isPattern: true },
]);

/** The subjects of the streams, and of JetStream's API about them. */
const stored: readonly BusSubject[] = streams.flatMap((stream) => {
  const { name, publishers, readers } = stream;
  const api = (requests: readonly string[], askers: readonly BusUser[]) =>
    requests.map((request) => ({
      subject: `$JS.API.${request}.${name}`,
      publishers: askers,
      subscribers: [],
    }));
  return [
    ...busUsers.map((user) => ({
      subject: streamSubject(stream, user, 'ws_1'),
      publishers: publishers.filter((publisher) => publisher === user),
      subscribers: [],
    })),
    { subject: streamSubjects(stream), publishers: [], subscribers: [], isPattern: true },
    ...api(['STREAM.CREATE'], [readers[0]]),
    ...api(['STREAM.UPDATE'], ['admin']),
    ...api(['STREAM.INFO'], [...new Set([...readers, 'admin' as const])]),
    ...api(['STREAM.MSG.GET', 'DIRECT.GET'], readers),
    ...api(['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.MSG.DELETE', 'CONSUMER.CREATE', 'CONSUMER.NAMES'], []),
  ];
});

/** Subjects that no user may publish on or subscribe to. */
const forbidden: readonly BusSubject[] = [
  ...[
    '>',
    '*',
    '*.>',
    'op.>',
    'op.*.>',
    'admin.>',
    'health.*',
    'event.>',
    'stream.>',
    '$JS.>',
    '_INBOX.>',
    '$SYS.>',
  ].map((subject) => ({
    subject,
    publishers: [],
    subscribers: [],
    isPattern: true,
  })),
  ...[
    'anything',
    'event.anything',
    '$JS.API.INFO',
    '$JS.API.STREAM.CREATE.OTHER',
    '$JS.API.STREAM.LIST',
    '_INBOX.x.0',
    '$SYS.REQ.SERVER.PING',
    '$SYS.REQ.USER.INFO',
  ].map((subject) => ({
    subject,
    publishers: [],
    subscribers: [],
  })),
];

/** Every subject of the registry, with future, reply and forbidden subjects. */
export const busSubjects: readonly BusSubject[] = [
  ...declared,
  ...future,
  ...replicas,
  ...inboxes,
  ...stored,
  ...forbidden,
];
