import type { RequestTemplate } from './load.ts';

/** A request to send. */
interface Chosen {
  readonly template: RequestTemplate;
  readonly body: string;
  /** The caller's token, when the template has one. */
  readonly token: string | undefined;
}

/** Returns the next request. */
export type Next = () => Chosen;

/** Chooses requests by weight, and a body of each at random. */
export function chooser(requests: readonly RequestTemplate[]): Next {
  const lots = requests.flatMap((template) => Array<RequestTemplate>(template.weight).fill(template));
  const anyIndex = (items: readonly unknown[]) => Math.floor(Math.random() * items.length);
  const run = crypto.randomUUID();
  let count = 0;
  return () => {
    const template = lots[anyIndex(lots)]!;
    const chosen = anyIndex(template.bodies);
    const body = template.bodies[chosen]!.replace('$unique', () => `${run}-${count++}`);
    return { template, body, token: template.tokens?.[chosen] };
  };
}
