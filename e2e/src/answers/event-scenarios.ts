import type { Scenarios } from './scenario.ts';

export const eventScenarios: Scenarios = {
  event_cursor_expired: async (world, operation) => {
    // As of a stream that is no more.
    const cursor = Buffer.from(JSON.stringify([`events ${world.workspace}`, '1.1.0'])).toString('base64url');
    return await world.call(world.owner.token, operation.id, { cursor });
  },
};
