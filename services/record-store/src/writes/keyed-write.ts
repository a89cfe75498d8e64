import { ActionError } from '@action-platform/contracts/errors';
import type { StoredRecord } from '@action-platform/contracts/operations';
import { type CallOfText, type ExactJson, fingerprintOf } from '@action-platform/json';
import type { Head, Tombstone } from '../storage/stored-head.ts';

/** A write that its caller can repeat safely. */
export interface KeyedWrite {
  /** The idempotency key. */
  key: string;
  /** SHA-256 of the input, which distinguishes a repetition from another use of the key. */
  fingerprint: string;
}

/** The input of a write, without its key and the Collection or Record that the key belongs to. */
export interface KeyedInput {
  operationId: string;
  /** The payload or patch, compared by value: without regard to white space and the order of names. */
  value: ExactJson;
  expectedVersion?: number | undefined;
}

/** The outcome of a write that may have a key. */
export interface WriteResult {
  readonly record: StoredRecord;
  /** Whether `record` repeats the first outcome of the idempotency key. */
  readonly isReplay: boolean;
}

/** The key and fingerprint of a write; undefined without a key. */
export async function keyedWrite(
  key: string | undefined,
  { operationId, value, expectedVersion }: KeyedInput,
  call: CallOfText,
): Promise<KeyedWrite | undefined> {
  if (key === undefined) return undefined;
  const before = `${operationId}\n${expectedVersion ?? ''}\n`;
  return { key, fingerprint: await fingerprintOf(value, before, call) };
}

/**
 * @param head of the Record that the key made or changed; the refusal names it, so that its caller can bring it up to date.
 * @throws ActionError `record_store_idempotency_conflict` when the first use of the key had other input.
 */
export function requireSameInput(
  firstFingerprint: string | undefined,
  { fingerprint }: KeyedWrite,
  { _id, version, state }: Head | Tombstone,
): void {
  if (firstFingerprint === fingerprint) return;
  const now =
    state === 'deleted' ? `was deleted permanently at version ${version}` : `has version ${version} now`;
  throw new ActionError('record_store_idempotency_conflict', {
    message: `This idempotency_key was already used with other input for the Record ${_id}, which ${now}.`,
    recordId: _id,
  });
}
