import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html } from './html.ts';

describe('html', () => {
  test('shows text unchanged, in elements and in attributes', () => {
    const { text } = html`<p title="${'"><script>'}">${"a < b && 'c'"}</p>`;
    expect(text).toBe('<p title="&#34;&#62;&#60;script&#62;">a &#60; b &#38;&#38; &#39;c&#39;</p>');
  });

  test('takes HTML and lists of it as they are', () => {
    expect(html`<ul>${['<', 1].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
      '<ul><li>&#60;</li><li>1</li></ul>',
    );
  });

  test('lets no text begin a tag, an entity or end an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';') }), (value) => {
        expect(html`${value}`.text.replaceAll(/&#\d+;/g, '')).toMatch(/^[a;]*$/);
      }),
    );
  });
});
