import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@action-platform/bus';
import { EVENTS } from '@action-platform/contracts/bus';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import type { TestPlatform } from './test-platform.ts';

const READ_AT_ONCE = 1_000;
const AGAIN_AFTER_MS = 20;

/** Reads the change events of a platform, in the order in which JetStream stored them. */
export class EventReader {
  readonly #bus: Bus;

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Makes the stream, as the service `events` does. */
  static async open(platform: TestPlatform): Promise<EventReader> {
    const bus = await platform.connect('events');
    await bus.streams.create(EVENTS);
    return new EventReader(bus);
  }

  /** All events of a Workspace so far, repetitions included. */
  async read(workspaceId: string): Promise<ChangeEvent[]> {
    const events: ChangeEvent[] = [];
    for (let from = 1; ; ) {
      const messages = await this.#bus.streams.read(EVENTS, { workspaceId, from, limit: READ_AT_ONCE });
      if (messages.length === 0) return events;
      for (const { body } of messages)
        events.push(...(JSON.parse(Buffer.from(body).toString()) as ChangeEvent[]));
      from = messages.at(-1)!.sequence + 1;
    }
  }

  /** The events of a Workspace without repetitions, once there are at least so many. */
  async until(workspaceId: string, count: number): Promise<ChangeEvent[]> {
    for (;;) {
      const byId = new Map<string, ChangeEvent>();
      for (const event of await this.read(workspaceId)) if (!byId.has(event.id)) byId.set(event.id, event);
      if (byId.size >= count) return [...byId.values()];
      await delay(AGAIN_AFTER_MS);
    }
  }
}
