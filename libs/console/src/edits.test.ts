import { expect, test } from '@jest/globals';
import { changesOf, definitionWith, type Field, isSaved, ruleOf } from '../browser/forms/edits.js';
import { problemsOf } from '../browser/text/field-problems.js';
import { JsonText, toJson } from '../browser/text/text.js';

test('an edit has the values that differ, null for an emptied text and for the choice of all', () => {
  const fields: Field[] = [
    { name: 'url', label: '', value: 'https://a' },
    { name: 'about', label: '', value: 'Index' },
    { name: 'isOn', label: '', kind: 'check', value: true },
    { name: 'role', label: '', kind: 'select', options: [['member', '']], value: 'member' },
    { name: 'types', label: '', kind: 'choices', all: 'All', value: ['b', 'a'] },
    { name: 'hidden', label: '', value: 'x', isShown: () => false },
  ];
  const same = { url: 'https://a', about: 'Index', isOn: true, role: 'member', types: ['a', 'b'] };
  expect(changesOf(fields, same)).toEqual({});
  expect(changesOf(fields, { ...same, about: undefined, isOn: false, types: null })).toEqual({
    about: null,
    isOn: false,
    types: null,
  });
});

test('a rule and a definition keep what their form does not show', () => {
  const rule = { operations: ['a'], callers: 'grants', grantIds: ['g'], when: [1] } as never;
  expect(ruleOf({ preventSelfApproval: true }, rule)).toEqual({
    operations: ['a'],
    callers: 'grants',
    grantIds: ['g'],
    when: [1],
    preventSelfApproval: true,
  });
  expect(ruleOf({ callers: 'everyone', operations: null }, rule)).toEqual({ callers: 'everyone' });
  const when = '[{"field":"/n","is":"above","value":9007199254740993}]';
  expect(toJson(ruleOf({ operations: ['a'], when, approvers: [] }, {}))).toBe(
    `{"operations":["a"],"when":${when}}`,
  );
  const known = { id: 'custom.a_b', status: 'active', revision: 3, title: 'A', later: 1, outputSchema: {} };
  expect(definitionWith({ title: 'B', outputSchema: null }, known)).toEqual({
    title: 'B',
    later: 1,
    expectedRevision: 3,
  });
});

test('a change is saved when the platform has its values to the digit, whatever the order and the revision', () => {
  const sent = (value: string) => ({
    revision: 1,
    rules: [{ callers: 'grants', when: new JsonText(value) }],
  });
  const present = { revision: 2, rules: [{ when: new JsonText('9007199254740993'), callers: 'grants' }] };
  expect(isSaved(sent('9007199254740993'), present)).toBe(true);
  expect(isSaved(sent('9007199254740992'), present)).toBe(false);
  expect(isSaved({ revision: 1, rules: [] }, present)).toBe(false);
});

test('a form shows a fault beside the field that a refusal names, and a fault within its value with the place', () => {
  const fields = [{ name: 'expiresAt' }, { name: 'collectionIds' }];
  const failure = (message: string) => Object.assign(new Error(message), { code: 'invalid_request' });
  const message = 'expiresAt: must be in the future; data.collectionIds[0]: is no id; other: fails.';
  expect(problemsOf(failure(message), fields)).toEqual({
    byName: { expiresAt: 'must be in the future', collectionIds: 'data.collectionIds[0]: is no id' },
    ofForm: 'other: fails',
    isOfFields: false,
  });
  expect(problemsOf(failure('expiresAt is required.'), fields).byName).toEqual({ expiresAt: 'is required' });
  expect(problemsOf(new Error('x: y'), fields)).toMatchObject({ ofForm: 'x: y', isOfFields: false });
});
