import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Platform } from '../platform.ts';
import { checksIn, conformance } from './conformance-program.ts';
import { type RecordingProxy, startProxy } from './proxy.ts';

const platform = new Platform();
let proxy: RecordingProxy;
before(async () => {
  await platform.ready;
  proxy = await startProxy(platform.baseUrl, platform.token);
});
after(() => proxy?.close());

describe("the protocol's conformance tests fail only in the baseline, at revision", () => {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    test(revision, async (context) => {
      const baseline = fileURLToPath(new URL(`conformance-${revision}.yml`, import.meta.url));
      const output = await conforms('--requirements', revision, '--expected-failures', baseline);
      context.diagnostic(/Total: .*/.exec(output)![0]);
    });
  }
});

test('the conformance tests of the headers, which no revision scores yet, all pass', async () => {
  await conforms('--scenario', 'http-header-validation', '--spec-version', '2026-07-28');
});

/** Runs conformance tests with these options and returns what they print. Throws with each failed check when they fail. */
async function conforms(...options: string[]): Promise<string> {
  const results = mkdtempSync(join(tmpdir(), 'action-platform-conformance-'));
  try {
    const args = [conformance, 'server', '--url', proxy.url, '-o', results, ...options];
    const { code, output } = await run(args);
    assert.equal(code, 0, `${output}${failedChecks(results)}`);
    return output;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function run(args: string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
}

/** The failed checks in a folder of results, a line for each. */
function failedChecks(results: string): string {
  return checksIn(results)
    .filter(({ status }) => status === 'FAILURE')
    .map(({ file, id, errorMessage }) => `${file} ${id}: ${errorMessage}\n`)
    .join('');
}
