import type { Api } from '../contenders/api.ts';
import { operationPath } from '../contenders/api.ts';
import type { RequestTemplate } from '../load/load.ts';

/** Calls of clients, to be measured. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Whether only the platform serves it. */
  readonly platformOnly?: boolean;
  /** Creates the data of the calls and returns the requests. */
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
