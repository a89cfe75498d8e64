import fc from 'fast-check';

/** How many Records, grants and routine grants the clients share. */
export const SLOTS = { records: 6, grants: 4, routines: 3 } as const;
/** How many runs a routine grant allows, and how many clients try. */
export const RUNS = { allowed: 8, tried: 16 } as const;
/** How many steps a client has; it begins again with the first after the last. */
const STEPS = 10_000;

/** How often clients take each step, relative to the others. */
const FREQUENCIES = {
  ...{ push: 6, replace: 6, patch: 6, get: 9, history: 3, list: 3, draft: 6 },
  /** A push into the Workspace with a small quota. */
  fill: 3,
  ...{ use: 4, revoke: 1, grant: 1 },
  /** A run of a routine grant, and a new routine grant. */
  ...{ run: 5, routine: 1 },
};
const kinds = Object.entries(FREQUENCIES).flatMap(([what, times]) =>
  Array<keyof typeof FREQUENCIES>(times).fill(what as keyof typeof FREQUENCIES),
);

const step = fc.record({
  what: fc.constantFrom(...kinds),
  record: fc.nat(SLOTS.records - 1),
  grant: fc.nat(SLOTS.grants - 1),
  routine: fc.nat(SLOTS.routines - 1),
  invocation: fc.nat(RUNS.tried - 1),
  /** Whether other clients send the same request with the same key. */
  isShared: fc.boolean(),
  /** Whether the write names the version that it expects. */
  isExpecting: fc.nat(3).map((chance) => chance > 0),
  /** Whether the client never retries, so that the outcome may stay unknown. */
  givesUp: fc.nat(3).map((chance) => chance === 0),
});

/** The next step of a client, with the slots of the objects that it uses. */
export type Step = ReturnType<typeof stepsOf>[number];

/** The steps of a client: the same for the same seed. */
export function stepsOf(client: number, seed: number) {
  return fc.sample(step, { seed: seed + client, numRuns: STEPS });
}
