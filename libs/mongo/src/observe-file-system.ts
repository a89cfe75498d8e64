import { inBackground } from '@action-platform/contracts/calls';
import { gauge } from '@action-platform/telemetry';
import type { Db } from 'mongodb';
import { within } from './time-limit.ts';

const EVERY_MS = 60_000;

/** Measures how full the file system of MongoDB is; returns the timer. A MongoDB that does not say leaves the last figure. */
export function observeFileSystem(db: Db): NodeJS.Timeout {
  let fill = 0;
  const look = async () => {
    const { fsUsedSize = 0, fsTotalSize } = await db.command({ dbStats: 1, ...within(inBackground) });
    if (fsTotalSize > 0) fill = fsUsedSize / fsTotalSize;
  };
  gauge('db.client.filesystem.fill', () => fill);
  void look().catch(() => {});
  return setInterval(() => void look().catch(() => {}), EVERY_MS).unref();
}
