import { expect, test } from '@jest/globals';
import { changed } from '../browser/forms/condition-values.js';
import { JsonText } from '../browser/text/text.js';

test.each([
  ['above', 'number', '100', '100'],
  ['equals', 'string', '100', '"100"'],
  ['equals', '', '100', '100'],
  ['above', 'string', '100', '100'],
  ['in', 'string', 'EUR, 7', '["EUR","7"]'],
  ['in', '', 'EUR, 7', '["EUR",7]'],
  ['in', '', ' EUR, USD ', '["EUR","USD"]'],
  ['in', '', 'True, NULL, null, 1E5', '["True","NULL",null,1E5]'],
  ['not_in', '', '"a, b"', '["a, b"]'],
  ['begins_with', '', '12', '"12"'],
  ['ends_with', '', 'a, b', '["a","b"]'],
  ['equals', '', '9007199254740993.0', '9007199254740993.0'],
  ['equals', 'boolean', 'true', 'true'],
])('an entered text with %s in a field of type %j: %s is %s', (is, type, entered, meant) => {
  // Whatever the value was before: the comparison or the field changed after it.
  for (const before of ['""', '["x"]', '1'])
    expect(changed({ field: '/a', is, value: new JsonText(before), entered }, type).value.text).toBe(meant);
});

test.each([
  ['equals', '', '"100"', '"100"'],
  ['equals', '', '"a, b"', '"a, b"'],
  ['equals', 'integer', '1.0', '1.0'],
  ['in', '', '["1", "a,b"]', '["1", "a,b"]'],
  ['ends_with', 'string', '["a","b"]', '["a","b"]'],
  ['above', '', '"100"', '100'],
  ['in', '', '"a, b"', '["a, b"]'],
  ['in', '', '1e400', '[1e400]'],
  ['equals', '', '["a"]', '"a"'],
  ['begins_with', '', '12345678901234567890', '"12345678901234567890"'],
  ['equals', 'string', '7', '"7"'],
])(
  'the value of a rule stays with %s in a field of type %j where it is taken: %s is %s',
  (is, type, value, meant) => {
    expect(changed({ field: '/a', is, value: new JsonText(value) }, type).value.text).toBe(meant);
  },
);
