import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { html } from './html.ts';

test('no text begins a tag or an entity, or ends an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';') }), (value) => {
      expect(html`${value}`.text.replaceAll(/&#\d+;/g, '')).toMatch(/^[a;]*$/);
    }),
  );
});
