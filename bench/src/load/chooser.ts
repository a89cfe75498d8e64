import type { RequestTemplate } from './load.ts';

/** A request to send. */
interface Chosen {
  readonly template: RequestTemplate;
  readonly body: string;
  /** Whose call it is, when the template says so. */
  readonly token: string | undefined;
}

/** Gives the next request to send. */
export type Next = () => Chosen;

/** Chooses requests by weight and their bodies at random. */
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
