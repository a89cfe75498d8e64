import { readFileSync } from 'node:fs';
import { assetsAt } from '../../http/answers/assets.ts';

const FOLDER = '/docs/assets';
const names = ['base.css', 'docs.css', 'reference.css', 'reference.js', 'icon.svg', 'inter.woff2'] as const;

/** The address of an asset, with the version of its content. */
export type AssetUrl = (name: (typeof names)[number]) => string;

/** The style sheets, scripts, the font and the icon of the pages. */
export function docsAssets() {
  const font = new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
  const sources = new Map<(typeof names)[number], URL | string>(
    names.map((name) => [name, new URL(`./assets/${name}`, import.meta.url)]),
  );
  sources.set('inter.woff2', font);
  // The font has its version in the style sheet too, so that browsers keep it.
  const fontUrl = assetsAt(FOLDER, new Map([['inter.woff2', font]])).assetUrl('inter.woff2');
  const base = readFileSync(sources.get('base.css') as URL, 'utf8');
  sources.set('base.css', base.replace('inter.woff2', fontUrl));
  return assetsAt(FOLDER, sources);
}
