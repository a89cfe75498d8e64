import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, jest, test } from '@jest/globals';
import { BucketKnowledge } from '../test-support/bucket-knowledge.ts';
import { newMember } from '../test-support/test-knowledge.ts';

// Its passes take 20 s on a machine with nothing else to do.
jest.setTimeout(300_000);

const OBJECTS = 100_000;
const MIB = 2 ** 20;

const AT_MOST = 48 * MIB;

/**
 * Collects all garbage four times a second. As shipped, V8 keeps up to 48 MiB of young objects, and does not collect the garbage among old ones
 * below 128 MiB: a process has either by chance, whatever a pass holds.
 */
const COLLECTING = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  setInterval(runInNewContext('gc'), 250).unref();`;

class CollectingKnowledge extends BucketKnowledge {
  override get environment() {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(COLLECTING)}`;
    return { ...super.environment, NODE_OPTIONS };
  }
}

const knowledge = new CollectingKnowledge();
afterAll(() => knowledge.stop());

test('the process grows by less than 48 MiB in a pass over 100,000 objects', async () => {
  const { bucket } = knowledge;
  await bucket.start();
  const { company } = newMember();
  bucket.keys = keysOf(company, 10);
  const { pid } = await knowledge.follow();
  await knowledge.passed();
  /** The most resident memory of the process during a pass over this many objects, in bytes. */
  const peakOf = async (count: number) => {
    bucket.keys = keysOf(company, count);
    // Begins the peak anew (proc_pid_clear_refs(5)).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    await knowledge.pass();
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
  };
  await peakOf(10);
  const before = await peakOf(10);
  for (const [what, count] of [
    ['adds', OBJECTS],
    ['changes nothing', OBJECTS],
    ['removes half', OBJECTS / 2],
    ['removes almost all', 10],
  ] as const) {
    const more = (await peakOf(count)) - before;
    process.stderr.write(`A pass that ${what}: ${(more / MIB).toFixed(1)} MiB more.\n`);
    expect(more).toBeLessThan(AT_MOST);
  }
});

function keysOf(company: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${company}/a folder/${i % 100}/file number ${i}.txt`);
}
