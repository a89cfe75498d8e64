import { get, stream } from './api.js';

/** The waits before the stream is followed again, in milliseconds. */
const SHORTEST = 1000;
const LONGEST = 60_000;

/** The types of the events of the Workspace that this Member may see, from now on, as server-sent events (HTML, section 9.2). */
export async function* follow() {
  let cursor = 'latest';
  for (let wait = SHORTEST; ; wait = Math.min(2 * wait, LONGEST)) {
    try {
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of await stream(get('/api/v1/events', { cursor }))) {
        wait = SHORTEST;
        const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s)));
          cursor = fields.id ?? cursor;
          if (fields.event === 'refused') return;
          if (fields.data) yield/** @type {string} */ (JSON.parse(fields.data).type);
        }
      }
    } catch {
      // Without the stream a page shows what it loaded.
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
