/**
 * Credentials that can be replaced while everything runs. Before those that are in use are replaced, the servers accept
 * the next ones too; afterwards they accept the former ones for as long as somebody still uses them.
 */
export interface Rotating<Credentials> {
  readonly inUse: Credentials;
  readonly next?: Credentials;
  readonly former?: Credentials;
}

/** The steps of a rotation, in their order. */
export type RotationStep = 'add' | 'use' | 'remove';

/** All that the servers accept, those in use first. */
export function accepted<Credentials>({ inUse, next, former }: Rotating<Credentials>): Credentials[] {
  return [inUse, next, former].filter((credentials) => credentials !== undefined);
}

/** The step that a rotation is to take next. */
export function nextStep({ next, former }: Rotating<unknown>): RotationStep {
  if (former !== undefined) return 'remove';
  return next === undefined ? 'add' : 'use';
}

/** The credentials after the next step; `make` makes new ones. */
export async function rotated<Credentials>(
  rotating: Rotating<Credentials>,
  make: () => Credentials | Promise<Credentials>,
): Promise<Rotating<Credentials>> {
  const { inUse, next } = rotating;
  const step = nextStep(rotating);
  if (step === 'add') return { inUse, next: await make() };
  if (step === 'use') return { inUse: next!, former: inUse };
  return { inUse };
}
