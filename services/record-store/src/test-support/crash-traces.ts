import { randomUUID } from 'node:crypto';
import { ExactJson } from '@action-platform/json';
import { openIndexed } from '@action-platform/mongo';
import type { TestPlatform } from '@action-platform/testing';
import { expect } from '@jest/globals';
import { newBlock, recordIdsOf } from '../quota/push-block.ts';
import { type Reserved, storedUsage } from '../quota/stored-usage.ts';
import { purgeDue } from '../recovery/purge.ts';
import { decideAbandoned } from '../recovery/recovering.ts';
import { type Head, type StoredHead, storedHeads } from '../storage/stored-head.ts';
import { currentRevision, storedRevisions } from '../storage/stored-revision.ts';
import { pushed, tombstoneOf } from '../writes/next-head.ts';
import { author } from './author.ts';
import { replicaOfItsOwn, unstopped } from './replica.ts';
import type { TestWorkspace } from './test-workspace.ts';

/** A payload of ten bytes. */
export const TEN_BYTES = '{"a":"12"}';

/** A reserved write of ten bytes that was not made. */
export const unmade = (record_id: string, version: number) =>
  ({ kind: 'revision', write_id: randomUUID(), record_id, version, bytes: 10 }) as const;

const LONG_AGO = new Date(Date.now() - 3_600_000);

export type CrashTraces = Awaited<ReturnType<typeof openCrashTraces>>;

/** Writes into the database the state that a replica leaves when it crashes between two writes. */
export async function openCrashTraces(platform: TestPlatform) {
  const { db } = await platform.database('record-store');
  const [heads, revisions, usage] = [
    await openIndexed<StoredHead>(db, storedHeads),
    await openIndexed(db, storedRevisions),
    await openIndexed(db, storedUsage),
  ];
  const replica = await replicaOfItsOwn(platform);
  const traces = {
    heads,
    revisions,
    usage,

    async head(id: string): Promise<Head> {
      return (await heads.findOne({ _id: id })) as Head;
    },

    /** Adds a reservation made now, and counts its bytes unless it is a deletion or `isCounted`. */
    async reserve(workspace: TestWorkspace, change: Reserved, isCounted = false): Promise<void> {
      const now = new Date();
      const bytes = change.kind === 'deletion' || isCounted ? 0 : change.bytes;
      await usage.updateOne(
        { _id: workspace.owner.workspaceId },
        {
          $push: { reservations: { ...change, at: now } },
          $inc: { stored_bytes: bytes },
          $set: { reserved_since: now },
        },
        { upsert: true },
      );
    },

    /** Restores the reservation of a Record's current revision, as if its writer had crashed before step 4 (settle). */
    async unsettle(workspace: TestWorkspace, id: string): Promise<void> {
      const { version, write_id, bytes } = await traces.head(id);
      const entered = { _id: workspace.owner.workspaceId, 'reservations.write_id': { $ne: write_id } };
      while ((await usage.findOne(entered)) === null);
      await traces.reserve(workspace, { kind: 'revision', write_id, record_id: id, version, bytes }, true);
    },

    /** Reserves a block and pushes these payloads in it; returns the ids of the Records. */
    async reserveBlock(workspace: TestWorkspace, payloads: readonly string[]): Promise<string[]> {
      const block = newBlock(1000, 4);
      const ids = [...recordIdsOf(block)].slice(0, payloads.length);
      await traces.reserve(workspace, block);
      for (const [index, recordId] of ids.entries()) {
        const reference = {
          workspaceId: workspace.owner.workspaceId,
          collectionId: workspace.collectionId,
          recordId,
        };
        const revision = { payload: new ExactJson(payloads[index]!), ...author, keyed: undefined };
        await heads.insertOne(pushed(reference, revision));
      }
      return ids;
    },

    async copyCurrentRevision(id: string): Promise<void> {
      await revisions.insertOne(currentRevision(await traces.head(id)));
    },

    async replaceByTombstone(id: string, deletionId: string): Promise<void> {
      await heads.replaceOne({ _id: id }, tombstoneOf(await traces.head(id), deletionId, author));
    },

    /** Ages all reservations and purges, and runs recovery. */
    async recoverLater(): Promise<void> {
      await traces.age();
      await traces.recover();
    },

    /** Expects the usage of a Workspace to be exact, now and after recovery, which leaves no reservation. */
    async expectStored(workspace: TestWorkspace, bytes: number): Promise<void> {
      expect(await workspace.storedBytes()).toBe(bytes);
      await traces.recoverLater();
      expect(await workspace.storedBytes()).toBe(bytes);
      const { workspaceId: _id } = workspace.owner;
      const { quota_bytes: _, revisions: __, ...stored } = (await usage.findOne({ _id }))!;
      expect(stored).toEqual({ _id, stored_bytes: bytes, reservations: [] });
    },

    /** Dates back all reservations and purges, as if their callers had long stopped waiting. */
    async age(): Promise<void> {
      const aged = { $map: { input: '$reservations', in: { $mergeObjects: ['$$this', { at: LONG_AGO }] } } };
      await usage.updateMany({ 'reservations.0': { $exists: true } }, [
        { $set: { reservations: aged, reserved_since: LONG_AGO } },
      ]);
      await heads.updateMany({ purge_at: { $exists: true } }, { $set: { purge_at: LONG_AGO } });
    },

    /** Runs recovery once. */
    async recover(): Promise<void> {
      expect(await decideAbandoned(replica, unstopped)).toBe(0);
      await purgeDue(replica, unstopped);
    },
  };
  return traces;
}
