import { type Bus, busHeaders, callService } from '@action-platform/bus';
import { inBackground, keepMailbox, type Timed } from '@action-platform/contracts/calls';
import { failureLevel } from '@action-platform/contracts/errors';
import { newRequestId } from '@action-platform/contracts/ids';
import { attemptDue, type RepeatedWork, type Rounds, startRounds, within } from '@action-platform/mongo';
import { type CallContext, callOnward, type Logger } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import type { Collection } from 'mongodb';
import type { z } from 'zod';
import { changedAtOf, type MemberKey, type StoredMember } from '../members/stored-member.ts';

/** How often a replica looks for changes that mail does not know, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** The pause after a failed attempt, in milliseconds: mail knows a change within a minute of its return. */
const PAUSE = { firstMs: 5_000, longestMs: 30_000 };
/** How long mail may take to answer, and an attempt altogether, in milliseconds. */
const [ANSWER_MS, ATTEMPT_MS] = [10_000, 20_000];

type KeptMailbox = z.input<typeof keepMailbox.input>;

interface MailboxChangesOptions {
  readonly bus: Bus;
  readonly log: Logger;
  readonly members: Collection<StoredMember>;
}

/**
 * Has mail delete the secrets of mailboxes that no membership has any more. The write that changes a membership marks it, so a change that
 * mail did not hear of, or whose process ended, is repeated until mail answers.
 */
export class MailboxChanges {
  readonly #options: MailboxChangesOptions;
  readonly #rounds: Rounds;
  #failing = 0;

  constructor(options: MailboxChangesOptions) {
    this.#options = options;
    gauge('mailbox.changes.failing', () => this.#failing);
    this.#rounds = this.#start();
  }

  /** Tells mail of a change that was just made, also when its mark is of a former version; the mark stays when mail does not answer. */
  async follow(key: MemberKey, context: CallContext): Promise<void> {
    const tell = (kept: KeptMailbox) => callOnward(this.#options.bus, keepMailbox, kept, context);
    await this.#tell(key, tell, context).catch((err: unknown) => {
      context.log[failureLevel(err)](
        { err },
        'mail does not know a change of a mailbox; grants tells it again',
      );
    });
  }

  /**
   * The time of the last change of an active membership, in milliseconds; undefined without one. A mailbox that mail stores with it is newer
   * than each change that mail hears of late, up to this one. The clock of the database alone decides: it also goes on after a restore.
   */
  async changedAt(key: MemberKey, timed: Timed): Promise<number | undefined> {
    const projection = { commits: 1 } as const;
    const active = { _id: key, status: 'active' } as const;
    const found = await this.#options.members.findOne(active, { projection, ...within(timed) });
    return found === null ? undefined : changedAtOf(found);
  }

  /** Begins no further attempt; resolves when those under way have ended. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  #start(): Rounds {
    const { bus, log, members } = this.#options;
    const tell = (kept: KeptMailbox) => {
      const headers = { [busHeaders.requestId]: newRequestId() };
      return callService(bus, keepMailbox, kept, { timeoutMs: ANSWER_MS, headers });
    };
    const work: RepeatedWork<StoredMember> = {
      name: 'telling mail of a changed mailbox',
      documents: members,
      due: { mailbox_changed_at: { $exists: true } },
      field: 'mailbox_lease',
      durationMs: ATTEMPT_MS,
      pause: PAUSE,
      idsOf: ({ workspace_id: workspace, user_id: user }) => ({ workspace, user }),
      attempt: (key) => this.#tell(key, tell, inBackground),
    };
    const failure = 'changed mailboxes cannot be read; trying again';
    return startRounds(
      async (signal) => {
        this.#failing = await attemptDue(work, log, signal);
      },
      { pauseMs: LOOK_EVERY_MS, log, failure },
    );
  }

  /** Tells mail which mailbox a membership has now, and removes the mark unless it changed since. */
  async #tell(key: MemberKey, tell: (kept: KeptMailbox) => Promise<unknown>, timed: Timed): Promise<void> {
    const { members } = this.#options;
    const found = await members.findOne({ _id: key }, within(timed));
    if (found === null) return;
    const { connections, mailbox_changed_at } = found;
    const { workspace_id: workspaceId, user_id: userId } = key;
    await tell({ workspaceId, userId, connectionId: connections.mail_suite, changedAt: changedAtOf(found) });
    if (mailbox_changed_at === undefined) return;
    const known = { $unset: { mailbox_changed_at: '', mailbox_lease: '' } } as const;
    await members.updateOne({ _id: key, mailbox_changed_at }, known, within(timed));
  }
}
