import { expect, test } from '@jest/globals';
import { operationsNamed } from './tool-name.ts';

test.each([
  ['Use an id from record_store.list_records.', ['record_store.list_records']],
  ['Call mail__send_email, or custom.find_order, first.', ['mail.send_email', 'custom.find_order']],
  ['See https://events.acme.example/help and https://custom.acme_corp.example.', []],
  ['Ask support@mail.acme.example, custom.order_desk@acme.example or mail.acme.', []],
  ['Sort by issues.created_at or my_custom.created_at.', []],
])('the operations in %j are %j', (text, operations) => {
  expect(operationsNamed(text)).toEqual(operations);
});
