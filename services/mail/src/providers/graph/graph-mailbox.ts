import type { Message } from '@microsoft/microsoft-graph-types';
import type { DraftMessage } from '../../messages/rfc5322.ts';
import type { Draft } from '../provider.ts';
import { callGraph, type GraphAnswer, type GraphCall, GraphRefusal } from './graph-call.ts';
import { havingMarker, toGraphMessage } from './graph-message.ts';
import type { GraphAccount, Tokens } from './tokens.ts';

/** How long after its creation Exchange itself may change a message, in milliseconds. */
const CREATION_MS = 5_000;
/** The most pages of a search. Few messages carry one marker, so that they fill one. */
const PAGES_MAX = 100;

/** A message that carries a marker. */
export interface MarkedMessage {
  readonly draft: Draft;
  /** Whether nobody has sent or changed it. */
  readonly isUntouched: boolean;
  readonly createdAt: string;
}

/** The calls of Microsoft Graph for one mailbox. Each method is named after its page in Microsoft's documentation. */
export class GraphMailbox {
  readonly #account: GraphAccount;
  readonly #tokens: Tokens;
  readonly #signal: AbortSignal;

  constructor(account: GraphAccount, tokens: Tokens, signal: AbortSignal) {
    this.#account = account;
    this.#tokens = tokens;
    this.#signal = signal;
  }

  /** "Create message". Its draft is the same as that of a search. */
  async create(message: DraftMessage): Promise<Draft> {
    const body = { type: 'application/json', text: JSON.stringify(toGraphMessage(message)) } as const;
    return draftIn(await this.#call('POST', '/messages', body));
  }

  /**
   * "List messages", filtered by "Get singleValueLegacyExtendedProperty": the messages with a marker in the whole mailbox, the
   * oldest first, whoever asks.
   */
  async having(marker: string): Promise<MarkedMessage[]> {
    const filter = encodeURIComponent(havingMarker(marker));
    let next: string | URL | undefined =
      `/messages?$filter=${filter}&$select=id,webLink,isDraft,createdDateTime,lastModifiedDateTime`;
    const found: MarkedMessage[] = [];
    for (let pages = 0; next !== undefined; pages++) {
      if (pages === PAGES_MAX) throw new Error('Microsoft Graph continued a listing without end.');
      const { body, correlation } = await this.#call('GET', next);
      const page = body as { value: Message[]; '@odata.nextLink'?: string };
      for (const each of page.value) {
        const draft = draftIn({ body: each, correlation });
        found.push({ draft, isUntouched: isUntouched(each), createdAt: each.createdDateTime ?? '' });
      }
      next = page['@odata.nextLink'] === undefined ? undefined : this.#within(page['@odata.nextLink']);
    }
    return found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  /** "message: permanentDelete", and where a national cloud has none, "Delete message". */
  async remove(id: string): Promise<void> {
    const path = `/messages/${encodeURIComponent(id)}`;
    await this.#call('POST', `${path}/permanentDelete`)
      .catch((error: unknown) => {
        if (error instanceof GraphRefusal) return this.#call('DELETE', path);
        throw error;
      })
      .catch((error: unknown) => {
        if (!(error instanceof GraphRefusal && error.status === 404)) throw error;
      });
  }

  /** "Get mailFolder": throws when the account cannot read the mailbox, or it has no folder of drafts. */
  async requireDraftsFolder(): Promise<void> {
    await this.#call('GET', '/mailFolders/drafts?$select=id');
  }

  /**
   * Throws when the account cannot write in the mailbox, and writes nothing: malformed MIME content is answered with 400
   * ("Create message"), and with 403 to an account without permission.
   */
  async requireWriting(): Promise<void> {
    try {
      const { draftId } = draftIn(await this.#call('POST', '/messages', { type: 'text/plain', text: '!' }));
      await this.remove(draftId);
    } catch (error) {
      if (!(error instanceof GraphRefusal && error.status === 400)) throw error;
    }
  }

  /** @param at a path within the mailbox, or a whole address */
  #call(method: GraphCall['method'], at: string | URL, body?: GraphCall['body']): Promise<GraphAnswer> {
    const { email, settings } = this.#account;
    const url = new URL(
      typeof at === 'string' ? `/v1.0/users/${encodeURIComponent(email)}${at}` : at,
      settings.graph_url,
    );
    const token = (isFresh: boolean) => this.#tokens.token(this.#account, isFresh, this.#signal);
    return callGraph({ method, url, body, signal: this.#signal }, token);
  }

  /** The address of a further page, to which the token may go. */
  #within(nextLink: string): URL {
    const url = new URL(nextLink);
    if (url.origin !== new URL(this.#account.settings.graph_url).origin) {
      throw new Error('Microsoft Graph continued a listing at another address.');
    }
    return url;
  }
}

/** The draft in an answer; throws when it has no id, so that nobody can tell whether there is one. */
function draftIn({ body, correlation }: GraphAnswer): Draft {
  const { id, webLink } = body as Message;
  if (!id) throw new Error('Microsoft Graph answered without the id of a message.');
  return { draftId: id, ...(webLink ? { draftUrl: webLink } : {}), correlation };
}

function isUntouched({ isDraft, createdDateTime, lastModifiedDateTime }: Message): boolean {
  const changedMs = Date.parse(lastModifiedDateTime ?? '') - Date.parse(createdDateTime ?? '');
  return isDraft === true && changedMs < CREATION_MS;
}

function orderOf({ createdAt, draft }: MarkedMessage): string {
  return `${createdAt} ${draft.draftId}`;
}
