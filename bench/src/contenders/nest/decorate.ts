/**
 * Decorators by hand: Node.js runs TypeScript by stripping its types and does not know decorators, which are functions
 * after all. What they do is the same.
 */

/** Applies decorators to a class. */
export function decorateClass(
  target: new (...args: never[]) => object,
  ...decorators: ClassDecorator[]
): void {
  for (const decorator of decorators.toReversed()) decorator(target);
}

/** Applies decorators to a method. */
export function decorateMethod(
  target: new (...args: never[]) => object,
  method: string,
  ...decorators: MethodDecorator[]
): void {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, method)!;
  for (const decorator of decorators.toReversed()) decorator(target.prototype, method, descriptor);
}

/** Applies decorators to the parameters of a method, or of the constructor without one, in their order. */
export function decorateParameters(
  target: new (...args: never[]) => object,
  method: string | undefined,
  ...decorators: ParameterDecorator[]
): void {
  const owner = method === undefined ? target : target.prototype;
  for (const [index, decorator] of decorators.entries()) decorator(owner, method, index);
}
