import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 60;
const AT_ONCE = 8;

/** The answer to one push: the id of the Record, or a refusal. */
interface Outcome {
  readonly id: string | undefined;
  readonly refusal: { readonly code: string; readonly next: string } | undefined;
  readonly response: Response;
}

type Push = (collection: string, number: number) => Promise<Outcome>;

const repeated: Record<string, number> = {};

/** Pushes as many Records into a Collection as the command line says, and prints their ids. */
export async function pushMany(push: Push): Promise<void> {
  const [collection = '', total = '0'] = process.argv.slice(2);
  let begun = 0;
  let done = 0;
  const work = async () => {
    while (begun < Number(total)) {
      console.log(await untilAnswered(push, collection, begun++));
      if (++done % 100 === 0) console.error(`${done} pushed`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.error(`repeated: ${JSON.stringify(repeated)}`);
}

/** Repeats a push, whose key makes that safe, until it is answered with a Record or refused for good. */
async function untilAnswered(push: Push, collection: string, number: number): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let wait = Math.min(50 * 2 ** attempt, 1000);
    try {
      const { id, refusal, response } = await push(collection, number);
      if (id !== undefined) return id;
      if (response.status !== 502 && response.status !== 503)
        throw new Error(`${refusal?.code}: ${refusal?.next}`);
      count(String(response.status));
      wait = Number(response.headers.get('Retry-After') ?? wait / 1000) * 1000;
    } catch (failure) {
      if (!(failure instanceof TypeError)) throw failure;
      count(String((failure.cause as NodeJS.ErrnoException | undefined)?.code ?? failure.name));
    }
    await sleep(wait);
  }
  throw new Error(`no answer after ${ATTEMPTS} attempts`);
}

function count(reason: string): void {
  repeated[reason] = (repeated[reason] ?? 0) + 1;
}
