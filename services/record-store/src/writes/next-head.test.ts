import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import { currentRevision } from '../storage/stored-revision.ts';
import { author } from '../test-support/author.ts';
import { pushed, revised, tombstoneOf, withState } from './next-head.ts';

const reference = { workspaceId: 'ws_1', collectionId: 'col_1', recordId: 'rec_1' };
const by = (request_id: string) => ({ ...author, origin: { ...author.origin, request_id } });
const input = (request_id: string) => ({
  ...by(request_id),
  payload: new ExactJson('{}'),
  keyed: undefined,
  type: 'replaced' as const,
});

test('every commit of a Record has the next sequence and its own origin', () => {
  const heads = [pushed(reference, input('1'))];
  heads.push(withState(heads.at(-1)!, 'archived', by('2')));
  heads.push(withState(heads.at(-1)!, 'active', by('3')));
  const restored = heads.at(-1)!;
  heads.push(revised(restored, input('4')));
  heads.push(withState(heads.at(-1)!, 'archived', by('5')));
  const commits = [...heads, tombstoneOf(heads.at(-1)!, 'deletion', by('6'))].map(({ commit }) => commit);
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
