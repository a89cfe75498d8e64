import type { Findings } from './exchange.ts';

/** Adds to what is known of an exchange how long a part of it takes, however that ends. */
export async function timed<Result>(
  findings: Findings,
  part: 'authorityMs' | 'serviceMs',
  work: () => Promise<Result>,
): Promise<Result> {
  const begunAt = performance.now();
  try {
    return await work();
  } finally {
    findings[part] = (findings[part] ?? 0) + performance.now() - begunAt;
  }
}
