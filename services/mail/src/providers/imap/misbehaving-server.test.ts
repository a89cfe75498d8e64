import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ImapScript, ScriptedImap } from '../../test-support/scripted-imap.ts';
import { imapProvider } from './imap-provider.ts';

let server: ScriptedImap;
beforeAll(async () => {
  server = await ScriptedImap.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.script = () => undefined;
});

/** A text that makes few lines of many bytes. */
const LONG = 'a'.repeat(8000);
const late = new Error('the time is over');
/** Looks for a draft; rejects with `late` when that takes as long as a call may. */
async function find(): Promise<unknown> {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(late), 40_000);
  try {
    return await imapProvider.findDraft(server.account, 'ab12', time.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The script that floods instead of answering the commands that begin so. */
const flooding =
  (command: string, text: string): ImapScript =>
  (asked, socket) =>
    asked.startsWith(command) ? server.flood(socket, text) : undefined;

/** The script for a folder with two drafts, then another one. */
const finding =
  (next: ImapScript): ImapScript =>
  (asked, socket) =>
    asked.startsWith('UID SEARCH') ? '* SEARCH 1 2\r\n' : next(asked, socket);

describe('a server without end ends the session, not the memory', () => {
  test.each<[string, ImapScript]>([
    ['a list of folders', flooding('LIST', `* LIST () "/" ${LONG}\r\n`)],
    ['a line', flooding('LIST', 'a line ')],
    ['a message', finding(flooding('UID FETCH', `* 1 FETCH (UID 1 BODY[]<0> {8000}\r\n${LONG})\r\n`))],
    ['a literal', (asked) => (asked.startsWith('LIST') ? '* LIST () "/" {1073741825}\r\n' : undefined)],
  ])('%s', async (_what, script) => {
    server.script = script;
    const problem = await find().catch((error) => error);
    expect(problem).toBeInstanceOf(Error);
    expect(problem).not.toBe(late);
    await server.closed();
  });
});
