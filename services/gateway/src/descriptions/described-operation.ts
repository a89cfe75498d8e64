import type { Effect } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';

/** An operation with its descriptions, each made once, at its first use. */
export class DescribedOperation {
  readonly id: string;
  readonly effect: Effect;
  readonly dataScope: Operation['dataScope'];
  readonly #declare: () => Operation;
  readonly #made = new Map<(operation: Operation) => unknown, unknown>();

  /**
   * @param declare makes its declaration, which is not kept: the declaration of a custom operation is much larger than its descriptions.
   */
  constructor(
    { id, effect, dataScope }: Pick<Operation, 'id' | 'effect' | 'dataScope'>,
    declare: () => Operation,
  ) {
    this.id = id;
    this.effect = effect;
    this.dataScope = dataScope;
    this.#declare = declare;
  }

  get declaration(): Operation {
    return this.#declare();
  }

  /** Describes the operation by a function; `as` remembers the description by that function. */
  as<Description>(describe: (operation: Operation) => Description): Description {
    return this.#made.getOrInsertComputed(describe, () => describe(this.#declare())) as Description;
  }
}
