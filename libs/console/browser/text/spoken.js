import { read } from './text.js';

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** The units of a time between, each with how many milliseconds it has. @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const UNITS = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
/** A week in milliseconds. */
export const WEEK = 7 * DAY;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** A time as people say it: how long ago, and beyond a week its day. @param {string} time @param {number} [now] */
export function spoken(time, now = Date.now()) {
  const between = Date.parse(time) - now;
  if (Math.abs(between) > WEEK)
    return new Date(time).toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
  const [unit, length] = UNITS.find(([, least]) => Math.abs(between) >= least) ?? [];
  return unit && length ? relative.format(Math.round(between / length), unit) : 'now';
}

/** The beginning of a day in the time zone of the reader, some days ago. @param {number} days @param {Date} [now] */
export const dayOf = (days, now = new Date()) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();

/** The label of a bucket of calls: an hour of the reader, or a day of UTC, as the platform counts. @param {string} at @param {string} step @param {boolean} [isWhole] */
export function bucketLabel(at, step, isWhole = false) {
  const time = new Date(at);
  if (step === 'day')
    return time.toLocaleDateString('en', {
      ...{ day: 'numeric', month: 'short', timeZone: 'UTC' },
      ...(isWhole && { year: 'numeric', timeZoneName: 'short' }),
    });
  if (isWhole) return time.toLocaleString();
  return time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** A number of bytes. @param {number} bytes */
export function sizeOf(bytes) {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const [unit] = ['bytes', 'KB', 'MB', 'GB'].slice(power);
  return `${power === 0 ? bytes : Number((bytes / 1000 ** power).toPrecision(3))} ${unit}`;
}

/** How long something lasts. @param {number} seconds */
export function durationOf(seconds) {
  for (const [name, length] of Object.entries({ day: 86_400, hour: 3600, minute: 60 }))
    if (seconds >= length && seconds % length === 0)
      return seconds === length ? name : `${seconds / length} ${name}s`;
  return seconds === 1 ? 'second' : `${seconds} seconds`;
}

/** The state of a grant in words and a colour. @param {{ status: string, stoppedReason?: string | undefined, expiresAt: string }} grant @param {number} [now] */
export function grantState({ status, stoppedReason, expiresAt }, now = Date.now()) {
  if (status === 'stopped')
    return { state: 'stopped', words: `stopped: ${stoppedReason?.replaceAll('_', ' ')}` };
  const isSoon = status === 'active' && Date.parse(expiresAt) - now < DAY;
  return isSoon ? { state: 'pending', words: 'ends within a day' } : { state: status, words: status };
}

/** How much more or less than before. @param {number} [now] @param {number} [before] */
export function changeOf(now = 0, before = 0) {
  if (before === 0) return now === 0 ? 'none before either' : 'none in the time before';
  const change = Math.round((100 * (now - before)) / before);
  return change === 0
    ? 'as in the time before'
    : `${change > 0 ? '↑' : '↓'} ${Math.abs(change)} % against the time before`;
}

/** The names of members whose text names a Record among people. */
const NAMES = ['name', 'title', 'subject', 'customer', 'email', 'label'];
const LONGEST_NAME = 60;

/** The name of a Record among people: the first short text of its payload that names things. @param {string} payload JSON @returns {string | undefined} */
export function nameIn(payload) {
  const members = read(payload).members ?? [];
  const named = NAMES.map((name) => members.find((member) => member.name === name)).find((member) =>
    member?.value.text.startsWith('"'),
  );
  const text = named && JSON.parse(named.value.text);
  return text && text.length <= LONGEST_NAME ? text : undefined;
}

/** The steps of an axis from 0 to a number: 1, 2 or 5 times a power of ten, at most five of them. @param {number} most @returns {number[]} */
export function axisOf(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / 4)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each * 4 >= most) ?? 1;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}
