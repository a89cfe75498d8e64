import { readFileSync } from 'node:fs';

/** The icons of the console, by their names in lucide-static. */
export const icons = (
  'activity archive ban book-open cable check chevron-right circle circle-check copy database file-text folder hard-drive house key-round list log-out ' +
  'mail menu pencil plug plus refresh-cw scroll-text search shield-check terminal trash-2 triangle-alert undo-2 users webhook x'
).split(' ');

/** The icons as one SVG document, with a symbol for each. */
export function iconSprite(): string {
  const symbols = icons.map((name) => {
    const svg = readFileSync(
      new URL(`icons/${name}.svg`, import.meta.resolve('lucide-static/package.json')),
      'utf8',
    );
    const [, content = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg) ?? [];
    return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${content.replaceAll(/\s+/g, ' ')}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`;
}
