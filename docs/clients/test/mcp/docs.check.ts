import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pasted, samplesOf } from '../../../../e2e/src/docs-samples.ts';
import { Platform } from '../platform.ts';

const platform = new Platform();

test('the quick start of docs/mcp.md pushes a Record without a client, and one with the official client', async () => {
  const commands = samplesOf('docs/mcp.md', 'sh').slice(0, 2);
  const [PROGRAM] = samplesOf('docs/mcp.md', 'js');
  // The official client is installed there.
  commands.push('cd docs/clients\nnode --input-type=module --eval "$PROGRAM"');
  const [, byCurl, byClient] = pasted(commands, platform.directory, { PROGRAM });
  assert.match(byCurl!, /^\{"jsonrpc":"2.0","id":1,"result".*\\"name\\":\\"Ada\\"/);
  assert.match(
    byClient!,
    /\[ 'record_store__get_record', 'record_store__push_record' \]\npushed: .*"name":"Grace"/,
  );
});
