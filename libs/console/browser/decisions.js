import { spoken } from './spoken.js';
import { shown } from './text.js';

/** @typedef {import('@action-platform/contracts').Grant} Grant */
/** @typedef {import('@action-platform/contracts').Approval} Approval */
/** @typedef {{ isDone: boolean, title: string, about: string, address: string, act: string }} Step */
/** How soon a grant ends that somebody should see, in milliseconds. */
const SOON = 14 * 86_400_000;

/**
 * What is known of the effect of a call, and no more: the declaration of an operation says whether its effect is destructive, and
 * nobody here knows what the endpoint of a custom one does.
 * @param {Pick<Approval, 'isDestructive' | 'operation'>} approval
 * @returns {{ title: string, text: string, isGrave: boolean }}
 */
export function effectOf({ isDestructive, operation }) {
  const isCustom = operation.startsWith('custom.');
  const leaves =
    'The call leaves the platform: it goes to an endpoint of your company, whose effect the platform does not know.';
  if (isDestructive)
    return {
      title: 'This cannot be undone.',
      text: isCustom ? leaves : 'Its declaration says that it destroys something for good.',
      isGrave: true,
    };
  return isCustom
    ? {
        title: 'It calls your own endpoint.',
        text: `${leaves} It is not declared destructive.`,
        isGrave: false,
      }
    : { title: 'It is not declared destructive.', text: mailText(operation), isGrave: false };
}

const mailText = (/** @type {string} */ operation) =>
  operation.startsWith('mail.')
    ? 'It makes a draft in the mailbox, which a person sends.'
    : 'What it writes is a change of the Workspace that its log and, for Records, their history keep.';

/**
 * The first steps of an Owner, which fill as somebody goes; undefined once all are done.
 * @param {{ collections: number, storedBytes: number, grants: number, rules: number, held: number, decided: number, collection?: string | undefined }} known
 * @returns {Step[] | undefined}
 */
export function stepsOf({ collections, storedBytes, grants, rules, held, decided, collection }) {
  const steps = [
    {
      isDone: collections > 0,
      title: 'Create a Collection',
      about: 'Records live in Collections, such as Orders.',
      address: 'records',
      act: 'Create',
    },
    {
      isDone: storedBytes > 0,
      title: 'Push a Record',
      about: 'Any JSON object. Every version is kept.',
      address: collection ? `records/${collection}` : 'records',
      act: 'Push',
    },
    {
      isDone: grants > 0,
      title: 'Make a grant',
      about: 'A secret for an agent or a job, with less than you may do.',
      address: 'grants',
      act: 'Make',
    },
    {
      isDone: rules > 0 && held > 0,
      title: 'Hold a call',
      about: 'A rule has writes wait for a person. Add a rule, then call the operation.',
      address: rules > 0 ? 'playground' : 'approvals',
      act: rules > 0 ? 'Call' : 'Add a rule',
    },
    {
      isDone: decided > 0,
      title: 'Approve it',
      about: 'You see the exact call, and approve or reject it.',
      address: 'approvals',
      act: 'Open',
    },
  ];
  return steps.every(({ isDone }) => isDone) ? undefined : steps;
}

/** The grants that end soon or have stopped. @param {readonly Grant[]} grants @param {number} [now] @returns {{ image: string, tone: string, what: string, about: unknown, address: string, act: string }[]} */
export function grantsThatNeed(grants, now = Date.now()) {
  const item = (
    /** @type {Grant} */ { id, name, kind },
    /** @type {string} */ tone,
    /** @type {string} */ what,
  ) => ({
    image: 'key-round',
    tone,
    what,
    about: shown(name ?? id),
    address: `grants?kind=${kind}&q=${id}`,
    act: 'Open',
  });
  const ends = grants.filter(
    ({ status, expiresAt }) => status === 'active' && Date.parse(expiresAt) - now < SOON,
  );
  const stopped = grants.filter(({ status }) => status === 'stopped');
  return [
    ...stopped.map((grant) =>
      item(grant, 'bad', `A grant stopped: ${grant.stoppedReason?.replaceAll('_', ' ')}`),
    ),
    ...ends.map((grant) => item(grant, '', `A grant ends ${spoken(grant.expiresAt, now)}`)),
  ];
}
