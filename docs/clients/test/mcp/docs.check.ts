import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Platform, startPlatform } from '../platform.ts';

const page = readFileSync(new URL('../../../mcp.md', import.meta.url), 'utf8');
/** The official client is installed here. */
const cwd = fileURLToPath(new URL('../..', import.meta.url));

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

test('the quick start of docs/mcp.md pushes a Record without a client, and one with the official client', async () => {
  const [prepare, pushWithCurl] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
  const [, program] = /```js\n(.*?)```/s.exec(page)!;
  const script = [prepare!, pushWithCurl!, 'echo', 'node --input-type=module --eval "$PROGRAM"'].join('\n');
  const pasted = script.replaceAll('./.local/demo.json', join(platform.directory, 'demo.json'));
  const env = { ...process.env, PROGRAM: program };
  const printed = execFileSync('bash', ['-euo', 'pipefail', '-c', pasted], { encoding: 'utf8', cwd, env });
  assert.match(printed, /^\{"jsonrpc":"2.0","id":1,"result".*\\"name\\":\\"Ada\\"/);
  assert.match(printed, /\[ 'record_store__push_record' \]\npushed: .*"name":"Grace"/);
});
