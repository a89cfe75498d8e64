import { parser } from '@prometheus-io/lezer-promql';

/** No time becomes shorter than this, in seconds: a rate takes several samples, and they come every second. */
const SHORTEST = 10;

/** In seconds (Prometheus, "Querying basics", "Float literals and time durations"). */
const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** How many seconds a time of one unit has, such as `5m`. */
export function secondsOf(time: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(time) ?? [];
  if (unit === undefined) throw new Error(`not a time of one unit: ${time}`);
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** A time so many times shorter, but no shorter than ten seconds unless it was. */
export function shortenedTime(time: string, times: number): string {
  const seconds = secondsOf(time);
  return `${Math.min(seconds, Math.max(SHORTEST, Math.round(seconds / times)))}s`;
}

/** A query whose windows and offsets are so many times shorter; the rest of it, names that tell a window included, is as it was. */
export function shortened(query: string, times: number): string {
  let text = '';
  let end = 0;
  parser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.name !== 'NumberDurationLiteralInDurationContext') return;
      text += query.slice(end, from) + shortenedTime(query.slice(from, to), times);
      end = to;
    },
  });
  return text + query.slice(end);
}
