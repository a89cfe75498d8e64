import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { blocksOf, paste } from '../paste.ts';
import { type Platform, startPlatform } from '../platform.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

test('the quick start of docs/mcp.md pushes a Record without a client, and one with the official client', async () => {
  const [prepare, pushWithCurl] = blocksOf('mcp.md', 'sh');
  const [PROGRAM] = blocksOf('mcp.md', 'js');
  // The official client is installed there.
  const pushWithClient = ['cd docs/clients', 'node --input-type=module --eval "$PROGRAM"'];
  const printed = paste([prepare!, pushWithCurl!, 'echo', ...pushWithClient], platform, { PROGRAM });
  assert.match(printed, /^\{"jsonrpc":"2.0","id":1,"result".*\\"name\\":\\"Ada\\"/);
  assert.match(printed, /\[ 'record_store__push_record' \]\npushed: .*"name":"Grace"/);
});
