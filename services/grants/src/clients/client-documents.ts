import { ActionError } from '@action-platform/contracts/errors';
import { type DestinationPolicy, Sender } from '@action-platform/outbound-http';
import { z } from 'zod';
import { type ClientMetadata, problemOf } from './client-metadata.ts';

const MAX_BYTES = 8 * 1024;
const TIMEOUT_MS = 3_000;
/** How long a document, or its absence, is cached, in milliseconds: a stranger has nothing fetched again and again. */
const KEPT_MS = 3_600_000;
const REFUSED_KEPT_MS = 60_000;
const KEPT = 1_000;
/** How many are fetched at once. */
const AT_ONCE = 32;
const ID_MAX_LENGTH = 2_000;

/** A client's document (draft-ietf-oauth-client-id-metadata-document, section 4), as far as it counts here. */
const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  redirect_uris: z.array(z.string()),
});

/** The documents in which programs describe themselves, at the address that is their client_id. */
export class ClientDocuments {
  readonly #sender: Sender;
  readonly #allowsLoopback: boolean;
  /** The oldest first; concurrent look-ups share a request. Times are in milliseconds of `performance.now()`. */
  readonly #kept = new Map<string, { readonly client: ReturnType<ClientDocuments['find']>; until: number }>();
  #fetching = 0;

  /** @param policy public addresses; on the local stack also this machine. */
  constructor(policy: Pick<DestinationPolicy, 'allowsHttpToLoopback'>) {
    this.#allowsLoopback = policy.allowsHttpToLoopback;
    this.#sender = new Sender({ ...policy, allowedNetworks: [] });
  }

  /** Whether a client_id is the address of a document. */
  isAddress(id: string): boolean {
    return id.startsWith('https://') || (this.#allowsLoopback && id.startsWith('http://'));
  }

  /** The client of a document; undefined without a valid one. @throws ActionError `action_platform_unavailable` */
  async find(id: string): Promise<ClientMetadata | undefined> {
    const url = URL.parse(id);
    // A normal form has one address for each document.
    if (url === null || url.href !== id || url.pathname === '/' || url.hash !== '') return undefined;
    if (id.length > ID_MAX_LENGTH || url.username !== '' || url.password !== '') return undefined;
    const kept = this.#kept.get(id);
    if (kept !== undefined && performance.now() < kept.until) return await kept.client;
    if (this.#fetching >= AT_ONCE) throw new ActionError('action_platform_unavailable');
    const fetched = { client: this.#fetch(id), until: Number.POSITIVE_INFINITY };
    this.#kept.delete(id);
    this.#kept.set(id, fetched);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    const client = await fetched.client;
    fetched.until = performance.now() + (client === undefined ? REFUSED_KEPT_MS : KEPT_MS);
    return client;
  }

  /** The client of the document at an address; never rejects. */
  async #fetch(id: string): Promise<ClientMetadata | undefined> {
    this.#fetching++;
    try {
      const { status, body } = await this.#sender.send({
        method: 'GET',
        url: id,
        headers: { accept: 'application/json' },
        body: undefined,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        isRepeatable: false,
        maxBytes: MAX_BYTES,
      });
      return status === 200 && body !== undefined ? clientIn(body, id) : undefined;
    } catch {
      return undefined;
    } finally {
      this.#fetching--;
    }
  }
}

function clientIn(body: Buffer, id: string): ClientMetadata | undefined {
  const {
    client_id,
    client_name,
    client_uri: uri,
    redirect_uris,
  } = clientDocument.parse(JSON.parse(body.toString()));
  const name = client_name ?? new URL(id).host;
  const client = { name, redirectUris: redirect_uris, ...(uri !== undefined && { uri }) };
  return client_id === id && problemOf(client) === undefined ? client : undefined;
}
