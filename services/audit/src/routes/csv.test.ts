import { anEntry } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { csvLine } from './csv.ts';

test.each([...'=+-@\t\r\n＝＋－＠'])('a field that begins with %j is no formula', (beginning) => {
  expect(csvLine({ ...anEntry(), outcome: 'done', user_id: `${beginning}1` })).toContain(`'${beginning}1`);
});
