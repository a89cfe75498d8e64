/*
 * The erasure of deleted Workspaces, and of users in a Workspace.
 *
 * The Workspace or the membership has the time of the next round, `erase_from`. Any replica runs a round under the lease of that
 * document: each service erases its part, grants its own last. Every step finds by itself what is left, so a crash anywhere costs
 * nothing but time. A round that found nothing to erase ends the erasure; the others are repeated after a pause.
 *
 * The first round begins some time after authority has ended: longer than any call and its way to the audit log, so what calls under
 * way have written is erased too.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Bus, busHeaders, callService } from '@action-platform/bus';
import { eraseCall, inBackground, newRequestId, services } from '@action-platform/contracts';
import { type ErasedPart, type ErasureTarget, within } from '@action-platform/mongo';
import { eraseStored, type Logger, type StoredData } from '@action-platform/service-host';
import type { StoredMember } from '../members/stored-member.ts';
import type { StoredWorkspace } from '../members/stored-workspace.ts';
import { leaseOn, markMembers, type WorkspacesAndMembers } from './workspace-deletion.ts';

/** How long grants waits for a service to erase a part, in milliseconds. */
const PART_TIMEOUT_MS = 10_000;

export interface ErasingOptions extends WorkspacesAndMembers {
  /** The part of grants, without the Workspaces. */
  readonly own: StoredData;
  readonly bus: Bus;
  readonly log: Logger;
  /** The pause between two rounds, in milliseconds. */
  readonly pauseMs: number;
}

/** The erasures in the background. */
export interface Erasing {
  /** Begins no further step; resolves when the step under way is done. */
  stop(): Promise<void>;
}

/** Starts the rounds of this replica. */
export function startErasing(options: ErasingOptions): Erasing {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await runDueRounds(options, signal).catch((error: unknown) => {
        if (!signal.aborted) options.log.warn({ err: error }, 'an erasure failed; it will go on later');
      });
      await pause(options.pauseMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Runs the rounds that are due, and marks the Members of deleted Workspaces. */
async function runDueRounds(options: ErasingOptions, signal: AbortSignal): Promise<void> {
  const { workspaces, members } = options;
  const ids = { projection: { _id: 1 }, ...within(inBackground) } as const;
  for (const { _id } of await workspaces.find({ deleted_at: { $exists: true } }, ids).toArray()) {
    if (!signal.aborted) await eraseWorkspace(options, _id, signal);
  }
  for (const { _id } of await members.find(dueMembers, ids).toArray()) {
    if (!signal.aborted) await eraseMember(options, _id, signal);
  }
}

const isDue = { $expr: { $lte: ['$erase_from', '$$NOW'] } };
const dueMembers = { erase_from: { $exists: true }, workspace_deleted: { $exists: false }, ...isDue };

async function eraseWorkspace(
  options: ErasingOptions,
  _id: StoredWorkspace['_id'],
  signal: AbortSignal,
): Promise<void> {
  const { workspaces, log } = options;
  const lease = leaseOn(workspaces, _id);
  if ((await lease.take(inBackground)) === undefined) return;
  try {
    await markMembers(options, _id, inBackground);
    const due = { _id, deleted_at: { $exists: true }, ...isDue };
    const { matchedCount } = await workspaces.updateOne(
      due,
      { $set: { is_erasing: true } },
      within(inBackground),
    );
    if (matchedCount === 0) return;
    const removed = await eraseEverywhere(options, { workspaceId: _id }, async () => {
      return !signal.aborted && (await lease.confirm(inBackground));
    });
    if (removed === undefined) return;
    log.info({ workspace: _id, removed }, removed === 0 ? 'erased a Workspace' : 'erasing a Workspace');
    if (removed === 0) await workspaces.deleteOne({ _id, is_erasing: true }, within(inBackground));
    else await workspaces.updateOne({ _id }, [{ $set: nextRound(options) }], within(inBackground));
  } finally {
    await lease.end(inBackground);
  }
}

async function eraseMember(
  options: ErasingOptions,
  _id: StoredMember['_id'],
  signal: AbortSignal,
): Promise<void> {
  const { members, log } = options;
  const lease = leaseOn(members, _id);
  if ((await lease.take(inBackground)) === undefined) return;
  try {
    const { workspace_id: workspaceId, user_id: userId } = _id;
    const removed = await eraseEverywhere(options, { workspaceId, userId }, async () => {
      return !signal.aborted && (await lease.confirm(inBackground));
    });
    if (removed === undefined) return;
    log.info(
      { workspace: workspaceId, user: userId, removed },
      removed === 0 ? 'erased a Member' : 'erasing a Member',
    );
    const done = { erased_at: '$$NOW', erase_from: '$$REMOVE', connections_at_end: '$$REMOVE' };
    const set = removed === 0 ? done : nextRound(options);
    await members.updateOne({ _id, status: 'removed' }, [{ $set: set }], within(inBackground));
  } finally {
    await lease.end(inBackground);
  }
}

function nextRound({ pauseMs }: ErasingOptions) {
  return { erase_from: { $add: ['$$NOW', pauseMs] } };
}

/**
 * Erases a Workspace or a user in all services.
 *
 * @param mayGoOn whether this replica still has the lease, and does not stop.
 * @returns how many documents were removed or changed; undefined when it may not go on.
 */
async function eraseEverywhere(
  { bus, own }: ErasingOptions,
  place: ErasureTarget,
  mayGoOn: () => Promise<boolean>,
): Promise<number | undefined> {
  const headers = { [busHeaders.requestId]: newRequestId() };
  const others = services.filter((service) => service !== 'grants');
  const parts: (() => Promise<ErasedPart>)[] = others.map(
    (service) => () => callService(bus, eraseCall(service), place, { timeoutMs: PART_TIMEOUT_MS, headers }),
  );
  let removed = 0;
  for (const erase of [...parts, () => eraseStored(own, place, inBackground)]) {
    for (let isDone = false; !isDone; ) {
      if (!(await mayGoOn())) return undefined;
      const part = await erase();
      removed += part.removed;
      isDone = part.isDone;
    }
  }
  return removed;
}
