import { readFileSync } from 'node:fs';
import { assetsAt } from '../../http/answers/assets.ts';

const FOLDER = '/docs/assets';
const names = ['base.css', 'docs.css', 'reference.css', 'reference.js', 'icon.svg', 'inter.woff2'] as const;

/** The address of an asset, with the version of its content. */
export type AssetUrl = (name: (typeof names)[number]) => string;

/** The font of the pages; its address has its version, so that browsers keep it. */
const fontFace = (url: string) => `@font-face {
  font-family: Inter;
  font-weight: 100 900;
  font-display: optional;
  src: url("${url}") format("woff2");
}
`;

/** The style sheets, scripts, the font and the icon of the pages. */
export function docsAssets() {
  const font = new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
  const sources = new Map<(typeof names)[number], URL | string>(
    names.map((name) => [name, new URL(`./assets/${name}`, import.meta.url)]),
  );
  sources.set('inter.woff2', font);
  const fontUrl = assetsAt(FOLDER, new Map([['inter.woff2', font]])).assetUrl('inter.woff2');
  const base = readFileSync(new URL(import.meta.resolve('@action-platform/console/base.css')), 'utf8');
  sources.set('base.css', `${fontFace(fontUrl)}${base}`);
  return assetsAt(FOLDER, sources);
}
