import { logLevelEvent } from '@action-platform/contracts/bus';
import { z } from 'zod';
import type { Command } from './command.ts';

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

const { service, level, seconds } = logLevelEvent.body.shape;

/** A duration: `30s`, `10m`, `2h`. */
const duration = z
  .string()
  .regex(/^\d{1,6}[smh]$/, 'must be a number of seconds, minutes or hours, such as 30s, 10m or 2h')
  .refine((typed) => seconds.safeParse(secondsOf(typed)).success, {
    error: `must be from ${seconds.minValue}s to ${seconds.maxValue}s`,
  })
  .default('10m')
  .meta({ description: 'For how long, such as 30s, 10m or 2h; then the log is as it was.' });

const input = z.object({ service, level, for: duration });

/** An event reaches every replica of the service, also while other parts of the platform are down. */
export const setLogLevel: Command<typeof input> = {
  name: 'log-level set',
  summary: 'Sets the level of the log of a service, in all its replicas, for some time.',
  input,
  run: async ({ service, level, for: typed }, platform) => {
    const set = { service, level, seconds: secondsOf(typed) };
    await platform.tell(logLevelEvent, { ...set, operator: platform.operator });
    return set;
  },
};

function secondsOf(typed: string): number {
  return Number(typed.slice(0, -1)) * SECONDS[typed.at(-1) as keyof typeof SECONDS];
}
