import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Its first pass has ended by then, also when no server answers. */
const WITHIN_MS = 60_000;
const POLL_MS = 1_000;

/**
 * Waits for the line in which knowledge says that it cannot list the bucket of `FILES_S3_BUCKET`: the platform starts without it.
 *
 * @param logs the folder of logs
 * @param since the start of the platform, in milliseconds since 1970; earlier lines are of former starts
 * @returns a line for people; undefined when knowledge can list the bucket
 */
export async function bucketProblem(
  logs: string,
  bucket: string,
  since: number,
  withinMs = WITHIN_MS,
): Promise<string | undefined> {
  for (const end = performance.now() + withinMs; ; ) {
    const text = await readFile(join(logs, 'knowledge.log'), 'utf8').catch(() => '');
    const line = text.split('\n').findLast((each) => each.includes('FILES_S3_BUCKET cannot be listed'));
    const { time, code } = line === undefined ? {} : (JSON.parse(line) as { time?: string; code?: string });
    if (time !== undefined && Date.parse(time) >= since)
      return `knowledge cannot list the bucket ${bucket} (${code}): docs/files.md#failures.`;
    if (performance.now() >= end) return undefined;
    await delay(POLL_MS, undefined, { ref: false });
  }
}
