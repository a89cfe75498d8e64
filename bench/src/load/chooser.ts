import type { RequestTemplate } from './load.ts';

/** Gives the next request to send. */
export type Next = () => { readonly template: RequestTemplate; readonly body: string };

/** Chooses requests by weight and their bodies at random. */
export function chooser(requests: readonly RequestTemplate[]): Next {
  const lots = requests.flatMap((template) => Array<RequestTemplate>(template.weight).fill(template));
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)]!;
  const run = crypto.randomUUID();
  let count = 0;
  return () => {
    const template = oneOf(lots);
    return { template, body: oneOf(template.bodies).replace('$unique', () => `${run}-${count++}`) };
  };
}
