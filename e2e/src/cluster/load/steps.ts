import fc, { type Arbitrary } from 'fast-check';

/** How many Records, grants and routine grants the clients share. */
export const SLOTS = { records: 6, grants: 4, routines: 3 } as const;
/** How many runs a routine grant allows, and how many clients try. */
export const RUNS = { allowed: 8, tried: 16 } as const;
/** How many steps a client has; it begins again with the first after the last. */
const STEPS = 10_000;

/** The next action of a client. With `givesUp` it never retries, so the outcome may stay unknown. */
export type Step = { readonly givesUp: boolean } & (
  | { readonly what: 'push' | 'draft'; readonly isShared: boolean }
  | { readonly what: 'replace' | 'patch'; readonly record: number; readonly isExpecting: boolean }
  | { readonly what: 'get' | 'history'; readonly record: number }
  | { readonly what: 'list' | 'fill' }
  | { readonly what: 'use' | 'revoke'; readonly grant: number }
  | { readonly what: 'grant'; readonly grant: number }
  | { readonly what: 'run'; readonly routine: number; readonly invocation: number }
  | { readonly what: 'routine'; readonly routine: number }
);

const index = (count: number) => fc.nat(count - 1);
const record = index(SLOTS.records);
const grant = index(SLOTS.grants);
const routine = index(SLOTS.routines);
const just = <What extends Step['what']>(what: What) => fc.constant(what);

const kinds: Arbitrary<object>[] = [
  fc.record({ what: just('push'), isShared: fc.boolean() }),
  fc.record({ what: just('draft'), isShared: fc.boolean() }),
  fc.record({ what: fc.constantFrom('replace', 'patch'), record, isExpecting: fc.boolean() }),
  fc.record({ what: fc.constantFrom('replace', 'patch'), record, isExpecting: fc.constant(true) }),
  fc.record({ what: just('get'), record }),
  fc.record({ what: fc.constantFrom('history', 'get'), record }),
  fc.record({ what: fc.constantFrom('list', 'fill') }),
  fc.record({ what: fc.constantFrom('use', 'use', 'use', 'revoke', 'grant'), grant }),
  fc.oneof(
    { weight: 9, arbitrary: fc.record({ what: just('run'), routine, invocation: index(RUNS.tried) }) },
    { weight: 1, arbitrary: fc.record({ what: just('routine'), routine }) },
  ),
];
const step = fc
  .tuple(fc.oneof(...kinds), fc.nat(3))
  .map(([kind, patience]) => ({ ...kind, givesUp: patience === 0 }) as Step);

/** The steps of a client: the same for the same seed. */
export function stepsOf(client: number, seed: number): Step[] {
  return fc.sample(step, { seed: seed + client, numRuns: STEPS });
}
