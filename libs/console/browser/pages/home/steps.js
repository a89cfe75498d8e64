import { grantAddress } from '../../text/grant-address.js';
import { DAY, spoken } from '../../text/spoken.js';
import { shown } from '../../text/text.js';

/** An entry of a list of what to do: its icon, with its tone, and its link. @typedef {ReturnType<typeof itemOf>} Item */

/** How soon a grant ends that somebody should see, in milliseconds. */
const SOON = 14 * DAY;
/** @param {string} image @param {string} tone @param {unknown} what @param {unknown} about @param {string} address @param {string} [act] */
export const itemOf = (image, tone, what, about, address, act = 'Open') => {
  return { image, tone, what, about, address, act };
};

/** The first steps of an Owner; undefined once all are done. @param {{ collections: number, storedBytes: number, grants: number, rules: number, held: number, decided: number, collection?: string | undefined }} known */
export function stepsOf({ collections, storedBytes, grants, rules, held, decided, collection }) {
  const records = collection ? `records/${collection}` : 'records';
  const [rulePage, ruleAct] = rules > 0 ? ['playground', 'Call'] : ['approvals', 'Add a rule'];
  /** @type {[isDone: boolean, title: string, about: string, address: string, act: string][]} */
  const steps = [
    [collections > 0, 'Create a Collection', 'They hold Records, such as Orders.', 'records', 'Create'],
    [storedBytes > 0, 'Push a Record', 'Any JSON object. Every version is kept.', records, 'Push'],
    [grants > 0, 'Make a grant', 'An agent or a job may do less than you may.', 'grants', 'Make'],
    [rules > 0 && held > 0, 'Hold a call', 'Add a rule, then call what it holds.', rulePage, ruleAct],
    [decided > 0, 'Approve it', 'You see the exact call, and approve or reject it.', 'approvals', 'Open'],
  ];
  if (steps.every(([isDone]) => isDone)) return undefined;
  return steps.map(([isDone, title, about, address, act]) => {
    const [image, tone] = isDone ? ['circle-check', 'good'] : ['circle', ''];
    return { isDone, ...itemOf(image, tone, title, about, address, isDone ? '' : act) };
  });
}

/**
 * The grants that may have calls in a period: first those that were last used in it, then those that were used later, each the latest first.
 * @template {{ lastUsedAt?: string | null | undefined }} G @param {{ from: string, to?: string | undefined }} period @param {readonly G[]} grants
 */
export function usedIn({ from, to }, grants) {
  const used = grants
    .filter(({ lastUsedAt }) => (lastUsedAt ?? '') >= from)
    .toSorted((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? ''));
  const isLater = (/** @type {G} */ { lastUsedAt }) => to !== undefined && (lastUsedAt ?? '') >= to;
  return [...used.filter((grant) => !isLater(grant)), ...used.filter(isLater)];
}

/** The grants that end soon or have stopped. @param {readonly import('@action-platform/contracts/resources').Grant[]} grants @param {number} [now] @returns {Item[]} */
export const grantsThatNeed = (grants, now = Date.now()) =>
  grants
    .flatMap(({ id, name, status, stoppedReason, expiresAt }) => {
      const isEnding = status === 'active' && Date.parse(expiresAt) - now < SOON;
      if (status !== 'stopped' && !isEnding) return [];
      const what = isEnding
        ? `A grant ends ${spoken(expiresAt, now)}`
        : `A grant stopped: ${stoppedReason?.replaceAll('_', ' ')}`;
      return [itemOf('key-round', isEnding ? '' : 'bad', what, shown(name ?? id), grantAddress(id))];
    })
    .toSorted((one, other) => other.tone.localeCompare(one.tone));
