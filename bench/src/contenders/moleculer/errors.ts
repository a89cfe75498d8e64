import { Errors } from 'moleculer';
import { Refusal } from '../same-work/refusal.ts';

/** Throws a refusal as Moleculer's own error, which crosses its transport whole. */
export function asMoleculerError(error: unknown): never {
  if (error instanceof Refusal)
    throw new Errors.MoleculerClientError(error.message, error.status, error.code);
  throw error;
}
