import type { Streams } from '@action-platform/bus';
import { type Stream, streams } from '@action-platform/contracts/bus';
import { z } from 'zod';
import type { Command } from './command.ts';

const nothing = z.object({});

export const listStreams: Command = {
  name: 'stream list',
  summary: 'Lists the streams of JetStream: bytes, size, servers, and since when.',
  input: nothing,
  run: async (_input, platform) => {
    const access = await platform.streams();
    return { streams: await Promise.all(streams.map((stream) => described(access, stream))) };
  },
};

const setInput = z.object({
  stream: z.enum(['EVENTS', 'AUDIT']).meta({ description: 'Which one.' }),
  max_bytes: z.int().min(1).optional().meta({
    description:
      'The most that it stores, in bytes; then it drops its oldest messages. Unchanged by default.',
  }),
});

/** Also brings the settings of a newer version, and the replicas of a cluster that was a single server before. */
export const setStream: Command<typeof setInput> = {
  name: 'stream set',
  summary:
    'Changes the size of a stream, and gives it the settings of this version and replicas on three servers, where there are three.',
  input: setInput,
  run: async ({ stream: name, max_bytes }, platform) => {
    const access = await platform.streams();
    const stream = streams.find((each) => each.name === name)!;
    await access.change(stream, max_bytes ?? (await access.state(stream)).maxBytes);
    return { stream: await described(access, stream) };
  },
};

async function described(access: Streams, stream: Stream): Promise<object> {
  const { firstSequence, lastSequence, createdAt, bytes, maxBytes, replicas } = await access.state(stream);
  return {
    stream: stream.name,
    bytes,
    max_bytes: maxBytes,
    replicas,
    first_sequence: firstSequence,
    last_sequence: lastSequence,
    created_at: createdAt.toISOString(),
  };
}
