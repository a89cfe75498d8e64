import type { Requests } from './load.ts';
import type { Request } from './send.ts';

/** Returns the next request: a kind by weight, and one of its bodies at random. */
export function chooser(kinds: readonly Requests[]): () => Request {
  const lots = kinds.flatMap((kind) => {
    const headers = kind.tokens.map((token) => ({
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    }));
    return Array(kind.weight ?? 1).fill({ kind, headers }) as [{ kind: Requests; headers: typeof headers }];
  });
  const anyIndex = (items: readonly unknown[]) => Math.floor(Math.random() * items.length);
  const run = crypto.randomUUID();
  let count = 0;
  return () => {
    const { kind, headers } = lots[anyIndex(lots)]!;
    const chosen = anyIndex(kind.bodies);
    return {
      method: kind.method,
      path: kind.path,
      headers: headers[chosen % headers.length]!,
      body: kind.bodies[chosen]!.replaceAll('$unique', () => `${run}-${count++}`),
    };
  };
}
