import { z } from 'zod';

/** Data that a grant may list: its id, and the name that people know it by. */
const named = z.object({ id: z.string(), name: z.string() });
export type NamedData = z.output<typeof named>;

/** The data among what was asked for; the version before answers with ids alone. */
export const foundData = z.object({ found: z.array(z.string()), named: z.array(named).optional() });

/** The found data; of the version before each under its id. */
export function namedIn({ found, named }: z.output<typeof foundData>): readonly NamedData[] {
  return named ?? found.map((id) => ({ id, name: id }));
}
