import type { RequestContext } from './exchange.ts';

/** Adds the duration of a part of a request to its context, also when the part fails. */
export async function timed<Result>(
  context: RequestContext,
  part: 'bodyMs' | 'authorityMs' | 'serviceMs',
  work: () => Promise<Result>,
): Promise<Result> {
  const begunAt = performance.now();
  try {
    return await work();
  } finally {
    context[part] = (context[part] ?? 0) + performance.now() - begunAt;
  }
}
