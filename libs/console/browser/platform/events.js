import { get, stream } from './api.js';

/** The pauses before the stream is followed again, in milliseconds. */
const SHORTEST = 1000;
const LONGEST = 60_000;

/** The types of the events of the Workspace that this Member may see, from now on, as server-sent events (HTML, section 9.2). @param {AbortSignal} signal ends them */
export async function* follow(signal) {
  let cursor = 'latest';
  let hasMissed = false;
  for (let pause = SHORTEST; !signal.aborted; pause = Math.min(2 * pause, LONGEST)) {
    try {
      let text = '';
      const decoder = new TextDecoder();
      const chunks = await stream(get('/api/v1/events', { cursor }), signal);
      // The count and the listings miss the events between an expired cursor and this stream.
      if (hasMissed) yield 'approval.missed';
      hasMissed = false;
      for await (const chunk of chunks) {
        const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)));
          // The gateway ends a stream whose token has expired. The next request has the present token.
          if (fields.event === 'refused') throw JSON.parse(fields.data).error;
          pause = SHORTEST;
          cursor = fields.id ?? cursor;
          if (fields.data) yield/** @type {string} */ (JSON.parse(fields.data).type);
        }
      }
    } catch (failure) {
      // Without the stream a page shows what it loaded.
      hasMissed ||= /** @type {any} */ (failure)?.code === 'event_cursor_expired';
      if (hasMissed) cursor = 'latest';
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
