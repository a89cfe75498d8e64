import type { Definitions } from './definitions.ts';
import type { Endpoints } from './endpoint/endpoints.ts';
import type { UnderWay } from './endpoint/under-way.ts';
import type { Writes } from './executions/write.ts';
import type { SigningKeys } from './signing/signing-keys.ts';

/** The dependencies of the handlers. */
export interface Dependencies {
  readonly definitions: Definitions;
  readonly endpoints: Endpoints;
  readonly underWay: UnderWay;
  readonly writes: Writes;
  readonly keys: SigningKeys;
}
