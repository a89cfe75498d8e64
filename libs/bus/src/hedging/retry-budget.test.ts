import { authorize, operationSubject } from '@action-platform/contracts/calls';
import { getRecord, listEvents, pushRecord } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import { type RetryBudget, RetryBudgets } from './retry-budget.ts';

const budgets = new RetryBudgets();

/** Spends all that is left. */
const spent = (budget: RetryBudget) => budget.spend(10_000);

test('the calls of a service share a budget, and those of another one have their own', () => {
  const recordStore = budgets.of(operationSubject(getRecord));
  expect(budgets.of(operationSubject(pushRecord))).toBe(recordStore);
  expect(spent(recordStore)).toBeGreaterThan(500);
  for (const other of [operationSubject(listEvents), authorize.subject])
    expect(budgets.of(other).spend(3)).toBe(3);
});

test('a tenth of the requests can be repeated', () => {
  const budget = budgets.of(operationSubject(getRecord));
  spent(budget);
  for (let requests = 0; requests < 1_000; requests++) budget.earn();
  expect(spent(budget)).toBeGreaterThanOrEqual(99);
  for (let requests = 0; requests < 1_000; requests++) budget.earn();
  expect(spent(budget)).toBeLessThanOrEqual(101);
});
