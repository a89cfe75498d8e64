import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 60;
const AT_ONCE = 8;

/** How often a call was repeated, by reason. @type {Record<string, number>} */
const repeated = {};

/**
 * Makes a call, whose key makes that safe, until it is answered for good.
 *
 * @template {{ response: Response }} Answer
 * @param {() => Promise<Answer>} call
 */
export async function untilAnswered(call) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let wait = Math.min(50 * 2 ** attempt, 1000);
    try {
      const answer = await call();
      const { status, headers } = answer.response;
      if (status < 500) return answer;
      count(String(status));
      // The Retry-After of a proxy may be a date.
      const after = headers.get('Retry-After') ?? '';
      if (/^\d+$/.test(after)) wait = Number(after) * 1000;
    } catch (failure) {
      // Whether the call was carried out is not known. With the same key the call is safe to repeat.
      if (!(failure instanceof TypeError || failure instanceof DOMException)) throw failure;
      const { cause, name } = /** @type {any} */ (failure);
      count(String(cause?.code ?? name));
    }
    await sleep(wait);
  }
  throw new Error(`no answer after ${ATTEMPTS} attempts`);
}

/**
 * Pushes as many Records into a Collection as the command line says, and prints their ids.
 *
 * @param {(collection: string, number: number) => Promise<string>} push
 */
export async function pushMany(push) {
  const [collection = '', total = '0'] = process.argv.slice(2);
  let begun = 0;
  let done = 0;
  const work = async () => {
    while (begun < Number(total)) {
      console.log(await push(collection, begun++));
      if (++done % 100 === 0) console.error(`${done} pushed`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.error(`repeated: ${JSON.stringify(repeated)}`);
}

/** @param {string} reason */
function count(reason) {
  repeated[reason] = (repeated[reason] ?? 0) + 1;
}
