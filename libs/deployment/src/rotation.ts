/** Credentials with a rotation without downtime: the servers accept those in use, and the next or the former ones. */
export interface Rotating<Credentials> {
  readonly inUse: Credentials;
  readonly next?: Credentials;
  readonly former?: Credentials;
}

export type RotationStep = 'add' | 'use' | 'remove';

/** All generations that the servers accept, the one in use first. */
export function accepted<Credentials>({ inUse, next, former }: Rotating<Credentials>): Credentials[] {
  return [inUse, next, former].filter((credentials) => credentials !== undefined);
}

/** The next step of a rotation. */
export function nextStep({ next, former }: Rotating<unknown>): RotationStep {
  if (former !== undefined) return 'remove';
  return next === undefined ? 'add' : 'use';
}

/** The former step of a rotation; undefined before the first step, and after the last. */
export function formerStep({ next, former }: Rotating<unknown>): RotationStep | undefined {
  if (former !== undefined) return 'use';
  return next === undefined ? undefined : 'add';
}

/**
 * The credentials after the next step.
 *
 * @param make creates the next generation
 */
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
