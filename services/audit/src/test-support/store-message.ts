import { setTimeout as delay } from 'node:timers/promises';
import type { Stream } from '@action-platform/contracts/bus';
import type { BusUser } from '@action-platform/contracts/services';
import type { TestPlatform } from '@action-platform/testing';

/** Stores a message in a stream; waits until the stream exists. */
export async function storeMessage(
  platform: TestPlatform,
  user: BusUser,
  stream: Stream,
  message: { id: string; body: string; workspaceId?: string },
): Promise<void> {
  const bus = await platform.connect(user);
  for (;;) {
    const stored = await bus.streams.store(stream, { ...message, timeoutMs: 5_000 }).catch(() => undefined);
    if (stored !== undefined) return;
    await delay(100);
  }
}
