import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { DraftMessage } from '../../messages/rfc5322.ts';
import { openGraphProvider } from '../../providers/graph/graph-provider.ts';
import type { GraphAccount } from '../../providers/graph/tokens.ts';
import { GraphStandIn } from './graph-stand-in.ts';
import type { StoredMessage } from './stand-in-mailbox.ts';

const inTime = () => AbortSignal.timeout(40_000);

/** Mailboxes in a stand-in for the tests of a file. Each test begins with a provider, and with an account with an empty mailbox. */
export class GraphMailboxes {
  graph!: GraphStandIn;
  provider!: ReturnType<typeof openGraphProvider>;
  account!: GraphAccount;
  #count = 0;

  constructor() {
    beforeAll(async () => {
      this.graph = await GraphStandIn.trusted();
    });
    beforeEach(() => {
      this.graph.faults.clear();
      Object.assign(this.graph, { lagMs: 0, pageSize: 10, isGlobalCloud: true });
      this.graph.tokens.acceptsNone = false;
      this.provider = openGraphProvider();
      this.account = this.newAccount();
    });
    afterAll(() => this.graph.stop());
  }

  /** The messages in the mailbox of the account. */
  get messages(): StoredMessage[] {
    return this.graph.mailbox(this.account.email).messages;
  }

  /** An account with a mailbox of its own. */
  newAccount(changes: Partial<GraphAccount> = {}): GraphAccount {
    const id = ++this.#count;
    const own = { accountId: `acc_${id}`, workspaceId: 'wsp_1', email: `ada-${id}@example.com` };
    const account = { ...own, settings: this.graph.settings(), secret: this.graph.tokens.secret, ...changes };
    this.graph.mailbox(account.email);
    return account;
  }

  /** A message with a marker of its own. */
  newMessage(): DraftMessage {
    return {
      marker: (++this.#count).toString(16).padStart(64, '0'),
      from: { name: 'Ada', address: this.account.email },
      to: ['olga@example.com', "o'hara@example.com"],
      cc: ['ben@example.com'],
      subject: 'Grüße & more',
      body: 'Line 1\r\nLine 2 <b>\n\u{1F600}',
      date: new Date(),
    };
  }

  create(message = this.newMessage(), signal = inTime()) {
    return this.provider.createDraft(this.account, message, signal);
  }

  find({ marker } = this.newMessage()) {
    return this.provider.findDraft(this.account, marker, inTime());
  }

  signIn(changes: Partial<GraphAccount> = {}) {
    return this.provider.signIn({ ...this.account, ...changes }, inTime());
  }
}

/** The error of a call that fails. */
export async function failureOf(call: Promise<unknown>): Promise<Error> {
  return await call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: Error) => error,
  );
}
