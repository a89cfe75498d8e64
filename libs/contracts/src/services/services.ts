/**
 * The services behind the gateway, each with its description for the API reference. Each service has a folder under `services/`, a MongoDB
 * database, a queue group and a bus user of its own. The local stack, the permissions, the documentation and the tests read this list.
 */
const about = {
  grants: 'Scoped, revocable secrets for unattended jobs, managed by signed-in Members.',
  'record-store': 'Collections of JSON Records with their revision history.',
  mail: 'Sender mailboxes, draft e-mails and their history. Nothing is ever sent.',
  procedures: 'Draft Procedure documents.',
  knowledge: 'The files that the caller can see.',
  events: 'Changes of the Workspace, in order, for programs that follow them.',
  audit: 'Who did what in the Workspace, and who was refused.',
  'custom-operations': "Calls of a company's own endpoints.",
} as const;
export type ServiceName = keyof typeof about;

export const services = Object.keys(about) as readonly ServiceName[];

/** The description of a service, in a sentence for clients. */
export function aboutService(service: ServiceName): string {
  return about[service];
}

/** The service that answers a call, which its id names: `record_store.push_record`, `admin.mail.add_sender`. */
export function serviceOf(id: string): ServiceName {
  const name = id.replace(/^admin\./, '').replaceAll('_', '-');
  const service = services.find((each) => name.startsWith(`${each}.`));
  if (service === undefined) throw new Error(`No service answers ${id}`);
  return service;
}

export type BusUser = 'gateway' | 'admin' | ServiceName;
export const busUsers: readonly BusUser[] = ['gateway', ...services, 'admin'];

export type ProcessName = Exclude<BusUser, 'admin'>;
export const processes: readonly ProcessName[] = ['gateway', ...services];
