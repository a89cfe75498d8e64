import { setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '@action-platform/contracts/authority';
import { FILE_TEXT_MAX_BYTES } from '@action-platform/contracts/operations';
import { scheduled } from '@action-platform/testing';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { fileKey } from '../files/stored-file.ts';
import type { FollowedKnowledge } from './followed-knowledge.ts';
import { newMember } from './test-knowledge.ts';

/** The tests of reading a file, which hold for every source. The service has a replica that follows the source. */
export function describeReadFiles(service: FollowedKnowledge): void {
  let member: Principal;
  let company: string;
  let personal: string;
  beforeEach(() => {
    ({ member, company, personal } = newMember());
  });
  const keyOf = (path: string, owner: string | null = null) =>
    fileKey({ workspaceId: member.workspaceId, owner }, path);
  const notFound = { code: 'knowledge_file_not_found' };

  describe(`a file of ${service.variable}`, () => {
    const text = (content: string | Buffer) => [content, content.toString()] as const;
    test.each<[what: string, content: string | Buffer, text: string | undefined]>([
      ['nothing', ...text('')],
      ['quotes, controls and a NUL', ...text('"a"\\ \n\r\t\u0000\u001f\u007f\u2028')],
      ['a byte order mark', ...text('\ufeffa')],
      ['characters of 4 bytes across the parts of an answer', ...text(`a${'🎉'.repeat(20_000)}`)],
      ['the largest text', ...text('é'.repeat(FILE_TEXT_MAX_BYTES / 2))],
      ['one byte more', Buffer.alloc(FILE_TEXT_MAX_BYTES + 1, 'a'), undefined],
      ['a byte of no character', Buffer.from([0x61, 0xff, 0x62]), undefined],
      ['a cut character', Buffer.from('a🎉').subarray(0, -1), undefined],
      ['an overlong character', Buffer.from([0xc0, 0x80]), undefined],
      ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), undefined],
      ['UTF-16', Buffer.from('\ufeffa', 'utf16le'), undefined],
    ])('with %s is answered with its text, or without one', async (_what, content, expected) => {
      await service.begin([`${company}/a.md`]);
      await service.put(`${company}/a.md`, content);
      const { file } = (await service.get(member, keyOf('a.md'))).result;
      const bytes = Buffer.byteLength(content);
      const known = { key: keyOf('a.md'), path: 'a.md', media_type: 'text/markdown', bytes };
      expect(file).toEqual(expected === undefined ? known : { ...known, text: expected });
    });

    test('has the media type of its name, else that of its content', async () => {
      const types = {
        'a.PDF': 'application/pdf',
        'b.constructor': 'text/plain',
        c: 'application/octet-stream',
      };
      await service.begin(Object.keys(types).map((path) => `${company}/${path}`));
      await service.put(`${company}/b.constructor`, 'text');
      await service.put(`${company}/c`, Buffer.from([0xff]));
      for (const [path, media_type] of Object.entries(types))
        expect((await service.get(member, keyOf(path))).result.file).toMatchObject({ media_type });
    });

    test('is for the callers that see it, and unknown to all others', async () => {
      const { member: stranger } = newMember();
      const other: Principal = { ...member, userId: 'other', role: 'owner' };
      await service.begin([`${company}/a`, `${personal}/b`]);
      const [shared, own] = [keyOf('a'), keyOf('b', member.userId)];
      const granted = (...fileScopes: ('company' | 'personal')[]) =>
        scheduled(member, { data: { fileScopes } });
      for (const [caller, key, sees] of [
        [member, shared, true],
        [member, own, true],
        [other, shared, true],
        [other, own, false],
        [stranger, shared, false],
        [stranger, own, false],
        [granted('company', 'personal'), own, true],
        [granted('company'), shared, true],
        [granted('company'), own, false],
        [granted('personal'), shared, false],
        [granted(), shared, false],
        [member, 'fil_none', false],
      ] as const) {
        const answer = await service.get(caller, key);
        if (sees) expect(answer.result.file).toMatchObject({ key });
        else expect(answer.error).toMatchObject(notFound);
      }
    });

    test('that is gone, or only its path was added, is unknown; one of a missing source is unavailable, before and after a pass', async () => {
      await service.begin([`${company}/a`, `${company}/b`]);
      const { key: added } = await service.add(member.workspaceId, 'added');
      await service.set([`${company}/b`]);
      for (const key of [keyOf('a'), added])
        expect((await service.get(member, key)).error).toMatchObject(notFound);
      await service.hide();
      const unavailable = { code: 'action_platform_unavailable' };
      expect((await service.get(member, keyOf('b'))).error).toMatchObject(unavailable);
      await service.pass();
      await service.newLines(1);
      expect((await service.get(member, keyOf('b'))).error).toMatchObject(unavailable);
      await service.show();
    });

    test('that changes again and again is of one moment, or unavailable', async () => {
      const size = 200_000;
      await service.begin([`${company}/a`]);
      await service.put(`${company}/a`, '0'.repeat(size));
      const stopping = new AbortController();
      const changing = (async () => {
        for (let round = 0; !stopping.signal.aborted; round++) {
          await service.put(`${company}/a`, String(round % 10).repeat(size + (round % 3)));
          await pause(150 * Math.random());
        }
      })();
      const statuses: number[] = [];
      for (let read = 0; read < 40; read++) {
        const answer = await service.get(member, keyOf('a'));
        statuses.push(answer.status);
        if (answer.status === 503) continue;
        const { text = '', bytes } = answer.result.file;
        expect([text.length, new Set(text).size]).toEqual([bytes, 1]);
      }
      stopping.abort();
      await changing;
      expect(statuses).toContain(200);
    });
  });
}
