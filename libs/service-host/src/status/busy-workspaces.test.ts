import { BUSIEST_MAX } from '@action-platform/contracts/bus';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { BusyWorkspaces } from './busy-workspaces.ts';

let busy: BusyWorkspaces;
beforeEach(() => {
  jest.useFakeTimers();
  busy = new BusyWorkspaces();
});
afterEach(() => {
  jest.useRealTimers();
});

test('reports the busiest Workspaces and the most refused ones, of the last five minutes', () => {
  for (let n = 0; n < 50; n++) {
    for (let call = 0; call < 100 - n; call++) busy.record(`ws_${n}`, false, 10);
  }
  busy.record('ws_refused', true);
  busy.record(undefined, true);
  jest.advanceTimersByTime(30_000);
  const { seconds, calls, processor_ms, workspaces } = busy.read();
  expect({ seconds, calls }).toEqual({ seconds: 30, calls: 50 * 100 - (50 * 49) / 2 + 2 });
  expect(processor_ms).toBeGreaterThan(0);
  expect(workspaces).toHaveLength(BUSIEST_MAX + 1);
  expect(workspaces[0]).toEqual({ workspace_id: 'ws_0', calls: 100, refused: 0, bytes: 1_000 });
  expect(workspaces.at(-1)).toEqual({ workspace_id: 'ws_refused', calls: 1, refused: 1, bytes: 0 });
  expect(busy.busiest()).toHaveLength(BUSIEST_MAX);
  jest.advanceTimersByTime(300_000);
  expect(busy.read()).toMatchObject({ calls: 0, workspaces: [] });
});

test('counts the busiest of very many', () => {
  for (let call = 0; call < 1_000; call++) busy.record('ws_busy', false);
  for (let n = 0; n < 10_000; n++) busy.record(`ws_${n}`, false);
  expect(busy.read().workspaces[0]).toMatchObject({ workspace_id: 'ws_busy', calls: 1_000 });
});
