import type { Api } from '../contenders/api.ts';
import { operationPath } from '../contenders/api.ts';
import type { RequestTemplate } from '../load/load.ts';

/** Something that clients do with the platform, to be measured. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Whether only the platform serves it. */
  readonly platformOnly?: boolean;
  /** Makes what the calls need and says what to send then. */
  prepare(api: Api): Promise<readonly RequestTemplate[]>;
}

/** A call of an operation with one of these inputs. */
export function callOf(operation: string, inputs: readonly object[], weight = 1): RequestTemplate {
  return {
    weight,
    method: 'POST',
    path: operationPath(operation),
    bodies: inputs.map((input) => JSON.stringify(input)),
  };
}
