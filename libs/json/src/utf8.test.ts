import { describe, expect, test } from '@jest/globals';
import { JsonSyntaxError } from './errors.ts';
import { decodeUtf8 } from './read-json.ts';
import { bytesOf } from './test-support/json-texts.ts';

describe('decodeUtf8', () => {
  test('decodes every plane, and keeps a byte order mark and U+FFFD as characters', () => {
    const text = '\ufeffa\u00e9\u20ac\u{1f600}\ufffd';
    expect(decodeUtf8(bytesOf(text))).toBe(text);
  });

  test.each([
    ['a continuation byte on its own', [0x61, 0x80], 1],
    ['an overlong form', [0x61, 0xc0, 0xaf], 1],
    ['an encoded surrogate', [0xc3, 0xa9, 0xed, 0xa0, 0x80], 1],
    ['a code point beyond U+10FFFF', [0xf5, 0x80, 0x80, 0x80], 0],
    ['a character that breaks off', [0x61, 0x62, 0xe2, 0x82], 2],
    ['a character cut short by another', [0xf0, 0x9f, 0x98, 0x80, 0xe2, 0x82, 0x61], 2],
    ['the start of U+FFFD', [0x61, 0xef, 0xbf, 0x61], 1],
    ['bytes after a real U+FFFD', [0xef, 0xbf, 0xbd, 0xff], 1],
  ])('refuses %s and says where', (_, bytes, offset) => {
    expect(() => decodeUtf8(Uint8Array.from(bytes))).toThrow(new JsonSyntaxError('Malformed UTF-8', offset));
  });
});
