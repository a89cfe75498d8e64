import { flood, type ImapScript } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ScriptedImap } from '../../test-support/scripted-imap.ts';
import { imapProvider } from './imap-provider.ts';

let server: ScriptedImap;
let honest: ScriptedImap;
beforeAll(async () => {
  [server, honest] = await Promise.all([ScriptedImap.started(), ScriptedImap.started()]);
  honest.script = (asked) => (asked.startsWith('UID SEARCH') ? '* SEARCH 1\r\n' : undefined);
});
afterAll(() => {
  server.stop();
  honest.stop();
});
beforeEach(() => {
  server.script = () => undefined;
});

/** A text that makes few lines of many bytes. */
const LONG = 'a'.repeat(8000);
const VANISHED = `* 2 EXISTS\r\n${'* VANISHED 1:4294967295\r\n'.repeat(1000)}`;

/** The script that floods instead of answering the commands that begin so. */
const flooding =
  (command: string, text: string): ImapScript =>
  (asked, socket) => {
    if (!asked.startsWith(command)) return undefined;
    flood(socket, text);
    return null;
  };

/** The script that sends lines before the answer to a command. */
const sending =
  (command: string, lines: string): ImapScript =>
  (asked) =>
    asked.startsWith(command) ? lines : undefined;

/** The script for a folder with two drafts, then another one. */
const finding =
  (next: ImapScript): ImapScript =>
  (asked, socket) =>
    asked.startsWith('UID SEARCH') ? '* SEARCH 1 2\r\n' : next(asked, socket);

/** Looks for a draft of a Workspace in a server. */
const find = ({ account }: ScriptedImap, workspaceId: string, signal = new AbortController().signal) =>
  imapProvider.findDraft({ ...account, workspaceId }, 'ab12', signal);

test.each<[string, ImapScript]>([
  ['a greeting without end', flooding('greeting', `* ${LONG}\r\n`)],
  ['a list of folders without end', flooding('LIST', `* LIST () "/" ${LONG}\r\n`)],
  ['a line without end', flooding('LIST', 'a line ')],
  [
    'a message without end',
    finding(flooding('UID FETCH', `* 1 FETCH (UID 1 BODY[]<0> {8000}\r\n${LONG})\r\n`)),
  ],
  ['a literal of a gigabyte', sending('LIST', '* LIST () "/" {1073741825}\r\n')],
  ['four billion messages that exist', sending('SELECT', '* 4294967295 EXISTS\r\n')],
  ['messages that vanished, four billion in each line', sending('SELECT', VANISHED)],
  ['folders for all of its memory', sending('LIST', '* LIST () "/" a\r\n'.repeat(60_000))],
  ['deep lists', sending('LIST', `* LIST ${'('.repeat(60_000)}\r\n`)],
  ['four billion messages found', sending('UID SEARCH', '* ESEARCH UID ALL 1:4294967295\r\n')],
])('%s ends the session, and delays no other one', async (_what, script) => {
  const begun = Promise.withResolvers<void>();
  server.script = (asked, socket) => {
    const answer = script(asked, socket);
    if (answer !== undefined) begun.resolve();
    return answer;
  };
  const ended = find(server, 'ws_hostile').catch((error) => error);
  await begun.promise;
  for (let n = 0; n < 3; n++) expect(await find(honest, 'ws_honest')).toBeDefined();
  await ended;
  await server.closed();
});

test('work without end is ended by its amount, and with its call', async () => {
  server.script = sending('SELECT', VANISHED);
  await expect(find(server, 'ws_hostile')).rejects.toMatchObject({ code: 'too much work' });
  const call = new AbortController();
  server.script = (asked) => {
    // The thread works on this answer by the time that the call ends.
    if (asked.startsWith('SELECT')) setTimeout(() => call.abort(new Error('the call ended')), 100);
    return asked.startsWith('SELECT') ? VANISHED : undefined;
  };
  await expect(find(server, 'ws_hostile', call.signal)).rejects.toThrow('the call ended');
  await server.closed();
});
