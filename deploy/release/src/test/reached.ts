import { join } from 'node:path';

interface Locked {
  readonly version: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: object;
}

/**
 * The packages that services, the operator's command and the demo load, as Node.js finds them in the folders of the lock file.
 *
 * @returns names with versions, such as `zod@4.6.7`
 */
export function reachedByProduction({
  packages: locked,
}: {
  readonly packages: Readonly<Record<string, Locked>>;
}): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const name of Object.keys(locked[path]!.dependencies ?? {})) {
      const parents = path
        .split('/')
        .map((_, index, parts) => parts.slice(0, parts.length - index).join('/'));
      const place = [...parents, '']
        .map((each) => join(each, 'node_modules', name))
        .find((each) => locked[each])!;
      visit(locked[place]!.link ? locked[place]!.resolved! : place);
    }
  };
  const ofImage = /^services\/[^/]+$|^deploy\/(admin|demo)$/;
  for (const path of Object.keys(locked)) if (ofImage.test(path)) visit(path);
  return [...found]
    .filter((path) => path.includes('node_modules/'))
    .map((path) => `${path.split('node_modules/').at(-1)}@${locked[path]!.version}`);
}
