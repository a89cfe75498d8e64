import { assetsAt } from '../../http/answers/assets.ts';

const names = ['docs.css', 'reference.css', 'reference.js', 'icon.svg'] as const;

/** The address of an asset, with the version of its content. */
export type AssetUrl = (name: (typeof names)[number]) => string;

/** The style sheets and scripts of the pages. */
export function docsAssets() {
  const urls = names.map((name) => [name, new URL(`./assets/${name}`, import.meta.url)] as const);
  return assetsAt('/docs/assets', new Map(urls));
}
