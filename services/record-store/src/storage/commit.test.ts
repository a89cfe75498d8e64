import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import { author } from '../test-support/author.ts';
import { buried, pushed, revised, withState } from '../writes/next-head.ts';
import { commitOf } from './commit.ts';
import type { Head } from './stored-head.ts';
import { currentRevision } from './stored-revision.ts';

const reference = { workspaceId: 'ws_1', collectionId: 'col_1', recordId: 'rec_1' };
const by = (request_id: string) => ({ ...author, origin: { ...author.origin, request_id } });
const input = (request_id: string) => ({
  ...by(request_id),
  payload: new ExactJson('{}'),
  keyed: undefined,
  type: 'replaced' as const,
});

/** A head as a version without commits changes it. */
function byFormerVersion(head: Head, change: Partial<Head>): Head {
  return { ...head, ...change, updated_at: new Date(head.updated_at.getTime() + 1) };
}

test('every commit of a Record has the next sequence and its own origin', () => {
  const heads = [pushed(reference, input('1'))];
  heads.push(withState(heads.at(-1)!, 'archived', by('2')));
  heads.push(withState(heads.at(-1)!, 'active', by('3')));
  const restored = heads.at(-1)!;
  heads.push(revised(restored, input('4')));
  heads.push(withState(heads.at(-1)!, 'archived', by('5')));
  const commits = [...heads, buried(heads.at(-1)!, 'deletion', by('6'))].map(commitOf);
  expect(commits.map(({ type, sequence, request_id }) => `${sequence} ${type} ${request_id}`)).toEqual([
    '1 pushed 1',
    '2 archived 2',
    '3 restored 3',
    '4 replaced 4',
    '5 archived 5',
    '6 deleted 6',
  ]);
  expect(currentRevision(restored).commit).toMatchObject({ type: 'pushed', request_id: '1' });
  expect(currentRevision(heads.at(-1)!).commit).toMatchObject({ type: 'replaced', request_id: '4' });
});

test('a Record from before commits continues at its version', () => {
  const { commit, ...old } = { ...pushed(reference, input('1')), version: 3 };
  expect(commitOf(old)).toMatchObject({ type: 'replaced', sequence: 3 });
  expect(commitOf(revised(old, input('2')))).toMatchObject({ sequence: 4, request_id: '2' });
  expect(currentRevision(old).commit).toBeUndefined();
});

test('a change by a version without commits counts as one, of unknown origin', () => {
  const head = withState(withState(pushed(reference, input('1')), 'archived', by('2')), 'active', by('3'));
  const replaced = byFormerVersion(head, { version: 2, revised_at: new Date(head.updated_at.getTime() + 1) });
  expect(commitOf(replaced)).toEqual({ type: 'replaced', sequence: 4, at: replaced.updated_at });
  expect(currentRevision(replaced).commit).toBeUndefined();
  expect(commitOf(withState(replaced, 'archived', by('4')))).toMatchObject({ sequence: 5, request_id: '4' });
  const { commit, ...tombstone } = buried(head, 'deletion', by('4'));
  expect(commitOf(tombstone)).toMatchObject({ type: 'deleted', sequence: 3 });
});
