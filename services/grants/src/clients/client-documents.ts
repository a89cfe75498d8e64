import { ActionError } from '@action-platform/contracts/errors';
import { type DestinationPolicy, requestFailure, Sender } from '@action-platform/outbound-http';
import { z } from 'zod';
import { type ClientMetadata, problemOf } from './client-metadata.ts';

const MAX_BYTES = 8 * 1024;
const TIMEOUT_MS = 3_000;
/** How long a document counts without another request, and how long while its host does not give it, in milliseconds. */
const FRESH_MS = 3_600_000;
const USABLE_MS = 86_400_000;
/** How long no request follows one that found no valid document, and one that failed, in milliseconds. */
const NOT_ASKED_MS = { invalid: 60_000, unreachable: 5_000 };
/** How many documents are cached, and as many failures: a Member's requests for bad addresses displace no document. */
const KEPT = 1_000;
/** How many requests run at once, and how many of them for one Workspace, or for strangers, who may name many hosts that hang. */
const AT_ONCE = 32;
const AT_ONCE_OF_WORKSPACE = 4;
const ID_MAX_LENGTH = 2_000;

/** A client's document (draft-ietf-oauth-client-id-metadata-document, section 4), as far as it counts here. */
const clientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  redirect_uris: z.array(z.string()),
});

interface KnownDocument {
  readonly client: ClientMetadata;
  readonly readAt: number;
}

/** A request that found no valid document, or failed. */
interface FailedRequest {
  readonly why: keyof typeof NOT_ASKED_MS;
  readonly at: number;
}

/** The documents in which programs describe themselves, at the address that is their client_id. */
export class ClientDocuments {
  readonly #sender: Sender;
  readonly #allowsLoopback: boolean;
  /** Those that were used last at the end. Times are in milliseconds of `performance.now()`. */
  readonly #known = new Map<string, KnownDocument>();
  readonly #failed = new Map<string, FailedRequest>();
  /** The requests that run, by address. */
  readonly #running = new Map<
    string,
    { readonly workspaceId: string | undefined; readonly ended: Promise<void> }
  >();

  /** @param policy public addresses; on the local stack also this machine. */
  constructor(policy: Pick<DestinationPolicy, 'allowsHttpToLoopback'>) {
    this.#allowsLoopback = policy.allowsHttpToLoopback;
    this.#sender = new Sender({ ...policy, allowedNetworks: [] });
  }

  /** Whether a client_id is the address of a document. */
  isAddress(id: string): boolean {
    return id.startsWith('https://') || (this.#allowsLoopback && id.startsWith('http://'));
  }

  /**
   * The client of a document; undefined without a valid one.
   *
   * @param workspaceId the Workspace whose Member asks; undefined for a stranger.
   * @throws ActionError `action_platform_unavailable` when its host does not give it, or too many requests run, and none was read for a day.
   */
  async find(id: string, workspaceId?: string): Promise<ClientMetadata | undefined> {
    const url = URL.parse(id);
    // A normal form has one address for each document.
    if (url === null || url.href !== id || url.pathname === '/' || url.hash !== '') return undefined;
    if (id.length > ID_MAX_LENGTH || url.username !== '' || url.password !== '') return undefined;
    const isAsked = this.#isAnswered(id) || (await this.#request(id, workspaceId));
    const known = this.#known.get(id);
    if (known !== undefined && performance.now() < known.readAt + USABLE_MS) {
      keep(this.#known, id, known);
      return known.client;
    }
    if (!isAsked) throw new ActionError('action_platform_unavailable');
    if (this.#failed.get(id)?.why === 'invalid') return undefined;
    const message = 'The host of the program did not give its document. Nothing was allowed.';
    throw new ActionError('action_platform_unavailable', { message });
  }

  /** Whether the last request for a document counts, so that no other one is needed. */
  #isAnswered(id: string): boolean {
    const [now, known, failed] = [performance.now(), this.#known.get(id), this.#failed.get(id)];
    if (known !== undefined && now < known.readAt + FRESH_MS) return true;
    return failed !== undefined && now < failed.at + NOT_ASKED_MS[failed.why];
  }

  /** Requests a document; concurrent look-ups share a request. @returns false when too many requests run. */
  async #request(id: string, workspaceId: string | undefined): Promise<boolean> {
    const running = this.#running.get(id);
    if (running !== undefined) return await running.ended.then(() => true);
    this.#failed.delete(id);
    const ofWorkspace = this.#running.values().filter((each) => each.workspaceId === workspaceId);
    if (this.#running.size >= AT_ONCE || [...ofWorkspace].length >= AT_ONCE_OF_WORKSPACE) return false;
    const ended = this.#fetch(id).then((found) => {
      this.#running.delete(id);
      const at = performance.now();
      if (typeof found === 'object') return keep(this.#known, id, { client: found, readAt: at });
      if (found === 'invalid') this.#known.delete(id);
      keep(this.#failed, id, { why: found, at });
    });
    this.#running.set(id, { workspaceId, ended });
    await ended;
    return true;
  }

  /** The client of the document at an address, or why there is none; never rejects. */
  async #fetch(id: string): Promise<ClientMetadata | keyof typeof NOT_ASKED_MS> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const { status, body, failure } = await this.#sender.send({
        method: 'GET',
        url: id,
        headers: { accept: 'application/json' },
        body: undefined,
        signal,
        isRepeatable: false,
        maxBytes: MAX_BYTES,
      });
      const isPassing = status >= 500 || status === 429 || (failure !== undefined && failure !== 'too_large');
      if (isPassing) return 'unreachable';
      return (status === 200 && body !== undefined ? clientIn(body, id) : undefined) ?? 'invalid';
    } catch (error) {
      return requestFailure(error, signal) === 'address_refused' ? 'invalid' : 'unreachable';
    }
  }
}

/** Puts an entry at the end; the first one leaves a full cache. */
function keep<Entry>(cache: Map<string, Entry>, id: string, entry: Entry): void {
  cache.delete(id);
  cache.set(id, entry);
  if (cache.size > KEPT) cache.delete(cache.keys().next().value!);
}

/** The client that a body describes; undefined when it is no valid document of this id. */
function clientIn(body: Buffer, id: string): ClientMetadata | undefined {
  const parsed = clientDocument.safeParse(jsonIn(body));
  if (!parsed.success) return undefined;
  const { client_id, client_name, client_uri: uri, redirect_uris } = parsed.data;
  const name = client_name ?? new URL(id).host;
  const client = { name, redirectUris: redirect_uris, ...(uri !== undefined && { uri }) };
  return client_id === id && problemOf(client) === undefined ? client : undefined;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
