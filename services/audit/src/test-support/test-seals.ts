import { readSecretKeys } from '@action-platform/sealing';
import { SEAL_KEYS } from '@action-platform/testing';
import { Seals } from '../blocks/seals.ts';

/** The seals of the tests' deployment. */
export const testSeals = new Seals(readSecretKeys('SEAL_KEYS', SEAL_KEYS));

/** How the tests' blocks are sealed and kept. */
export const testChains = { seals: testSeals, retentionMs: 400 * 86_400_000 };
