import type { StoredDocuments } from '@action-platform/mongo';
import type { Seals } from './seals.ts';

/** The beginning of a chain whose first blocks were removed before they expired, because the retention was shortened. */
export interface StoredBeginning {
  /** The Workspace. */
  readonly _id: string;
  /** The number of the first block that was kept. */
  readonly number: number;
  /** Of the Workspace and the number: only the platform has the key for it. */
  readonly seal: string;
}

export const storedBeginnings: StoredDocuments<StoredBeginning> = {
  collection: 'beginnings',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
};

/** The sealed beginning of a chain. */
export function beginningAt(_id: string, number: number, seals: Seals): StoredBeginning {
  return { _id, number, seal: seals.of(textOf(_id, number)) };
}

/** The number of the first block that a chain has to have; 0 without a beginning, and for a beginning without a right seal. */
export function firstNumber(beginning: StoredBeginning | null, seals: Seals): number {
  if (beginning === null) return 0;
  const { _id, number, seal } = beginning;
  return seals.problemOf(textOf(_id, number), seal) === undefined ? number : 0;
}

function textOf(workspaceId: string, number: number): string {
  return `beginning ${JSON.stringify([workspaceId, number])}`;
}
