import { addSender } from '@action-platform/contracts/calls';
import { customOperationRoutes } from '@action-platform/contracts/resources';
import type { Platform } from '../harness/workload/fixture.ts';
import { newWorkspace } from '../harness/workload/make-fixture.ts';
import { operation, type Request, Session } from '../harness/workload/session.ts';

/** How many requests of a tenant may be under way at once. */
const CONNECTIONS = 32;

const definition = {
  ...{ title: 'Call an endpoint', description: 'Calls an endpoint.', timeoutMs: 2_000 },
  ...{ effect: 'write', availability: 'workspace_member' },
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
};

/** The servers outside the platform that a tenant names. */
interface Named {
  /** The URLs of its endpoints: each is that of a webhook endpoint and of a custom operation. */
  readonly endpoints: readonly string[];
  /** The ports of its IMAP servers on this machine. */
  readonly mailPorts: readonly number[];
  /** The authority of their certificates. */
  readonly authority: string;
  /** The login at them, and the name of the tenant. */
  readonly name: string;
  readonly password: string;
}

/** A Workspace with endpoints and mailboxes. */
export interface Tenant {
  readonly session: Session;
  readonly collection: string;
  /** The ids of its custom operations, in the order of their endpoints. */
  readonly operations: readonly string[];
  /** The ids of its senders, in the order of their ports. */
  readonly senders: readonly string[];
}

/** Creates a tenant that names these servers. */
export async function newTenant(platform: Platform, url: string, named: Named): Promise<Tenant> {
  const { endpoints, mailPorts, authority: ca, name, password: secret } = named;
  const { workspace, owners } = await newWorkspace(platform);
  const session = new Session(url, owners[0].token, { connections: CONNECTIONS });
  const { collection } = await session.execute('record_store.create_collection', { name: 'things' });
  const operations = endpoints.map((_, n) => `custom.call_${n}`);
  for (const [n, endpoint] of endpoints.entries()) {
    const webhook = { url: endpoint, collectionIds: [collection.id] };
    await session.json('POST', '/api/v1/webhook-endpoints', webhook);
    const path = customOperationRoutes.put.path.replace('{id}', operations[n]!);
    await session.json('PUT', path, { ...definition, url: endpoint });
  }
  const senders: string[] = [];
  for (const [n, port] of mailPorts.entries()) {
    const mailbox = { provider: 'imap', host: '127.0.0.1', port, ca, login: name, secret };
    const shared = {
      email: `${name}-${n}@example.com`,
      display_name: name,
      everyone: true,
      interactive: true,
    };
    const { sender } = await platform.operate(addSender, { workspace, ...shared, ...mailbox });
    senders.push(sender.senderId);
  }
  return { session, collection: collection.id, operations, senders };
}

/** Pushes a Record, which is a webhook to each endpoint. */
export function push({ collection: collection_id }: Tenant, key: string): Request {
  const input = { collection_id, payload: {}, idempotency_key: key };
  return operation('record_store.push_record', input, ({ record }) => ({ record: record.id }));
}

/** Keeps a draft in the mailbox of a sender. */
export function draft(sender_id: string, key: string): Request {
  const email = { to: ['somebody@example.com'], subject: key, body: key };
  return operation('mail.send_email', { ...email, sender_id, idempotency_key: key }, () => ({}));
}

/** Calls a custom operation. */
export function callEndpoint(id: string, key: string): Request {
  return operation(id, { idempotency_key: key }, () => ({}));
}
