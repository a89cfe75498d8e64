import { EVENTS } from '@action-platform/contracts/bus';
import {
  type Change,
  type ChangeEvent,
  type ChangeEventType,
  changeEventOf,
  changeEventTypes,
} from '@action-platform/contracts/change-events';
import type { ServiceName } from '@action-platform/contracts/services';
import { TestPlatform } from '@action-platform/testing';
import { events } from '../service.ts';

/** The events service, with a test in the place of the services that publish events. */
export class FeedPlatform extends TestPlatform {
  #count = 0;

  /** Starts the service, and resolves once its stream is there. */
  async startFeed(): Promise<void> {
    await this.start(events);
    const bus = await this.connect('events');
    while (!(await bus.streams.state(EVENTS).catch(() => undefined))) await new Promise(setImmediate);
  }

  /** An event of a Workspace. */
  event(workspaceId: string, type: ChangeEventType, data: Partial<Change['data']> = {}): ChangeEvent {
    const change = { workspaceId, type, subject: `subject-${++this.#count}`, time: new Date() };
    return changeEventOf(changeEventTypes[type].services[0]!, { ...change, data: { actor: {}, ...data } });
  }

  /** Publishes events of a Workspace in one message, by default as the service of the first. */
  async publish(
    workspaceId: string,
    batch: readonly ChangeEvent[],
    service: ServiceName = changeEventTypes[batch[0]!.type].services[0]!,
  ): Promise<void> {
    const bus = await this.connect(service);
    const message = { workspaceId, id: crypto.randomUUID(), body: JSON.stringify(batch), timeoutMs: 5_000 };
    await bus.streams.store(EVENTS, message);
  }
}
