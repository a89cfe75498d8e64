import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ScriptedImap } from '../../test-support/scripted-imap.ts';
import { imapProvider } from './imap-provider.ts';

let server: ScriptedImap;
beforeAll(async () => {
  server = await ScriptedImap.started();
});
afterAll(() => server.stop());

test.each([
  ['that cannot be selected', '(\\NoSelect)', 'NO no mailbox'],
  ['that the account may not read', '(\\Trash)', 'NO [NOPERM] denied'],
  ['that is deleted meanwhile', '(\\Trash)', 'NO [NONEXISTENT] no mailbox'],
])('a folder %s holds no draft, and does not end the search', async (_what, flags, refusal) => {
  server.script = (asked) => {
    if (asked === 'LIST "" ""') return '* LIST (\\Noselect) "/" ""\r\n';
    if (asked.startsWith('LIST')) return `* LIST (\\Drafts) "/" Drafts\r\n* LIST ${flags} "/" Trash\r\n`;
    return asked === 'SELECT Trash' ? { refusal } : undefined;
  };
  expect(await imapProvider.findDraft(server.account, 'ab12', AbortSignal.timeout(10_000))).toBeUndefined();
});
