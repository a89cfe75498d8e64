import { type Entry, entriesOf, type History, type Outcome } from '../history.ts';

/** The remains of an earlier load after one part of the platform was set back to a copy. */
export interface SetBack extends Pick<History, 'entries'> {
  /** The service whose database was set back, or the streams. */
  readonly part: string;
  /** The copy is of a moment between these, in milliseconds of the entries' clock. */
  readonly copy: { readonly from: number; readonly to: number };
  /** The ids of the Records, the grants that work, and the keys of the shown e-mails and files. */
  readonly shown: Readonly<Record<'records' | 'grants' | 'drafts' | 'files', ReadonlySet<string>>>;
  /** The ids of grants that were revoked after the copy, and whether its other withdrawals are undone. */
  readonly revoked: ReadonlySet<string>;
  readonly isBack: Readonly<Record<'member' | 'record' | 'endpoint', boolean>>;
  /** The results of all calls, repeated with their keys, and what is stored afterwards. */
  readonly repeated: readonly Outcome[];
  readonly keys: readonly string[];
  readonly draftsMade: number;
  /** The bytes that two recounts of the quota corrected. */
  readonly drift: readonly [number, number];
  /** How a reader of the feed goes on, and whether what was changed after the copy holds. */
  readonly feed: 'goes on' | string;
  readonly hasLateEndpoint: boolean;
  readonly signsWithRotated: boolean;
  /** Records without a webhook, without an entry of the audit log, and with several. */
  readonly undelivered: number;
  readonly unaudited: number;
  readonly auditedTwice: number;
  readonly isChainWhole: boolean;
  readonly isKnownBlockSame: boolean;
}

/** A promise, and whether the platform kept it as expected after this part was set back. */
export interface Finding {
  readonly text: string;
  readonly isExpected: boolean;
}

/** The service that stores what an action makes. */
const serviceOf: Readonly<Record<string, string>> = {
  ...{ push: 'record-store', replace: 'record-store', grant: 'grants', draft: 'mail' },
  ...{ procedure: 'procedures', file: 'knowledge' },
};
/** A repetition may make these anew, with another id. */
const RENAMED = ['push', 'replace', 'grant'];

const nameOf = (outcome: Outcome): string => {
  const { record, revisions, made } = outcome.is === 'done' ? outcome.result : {};
  return record === undefined ? `${made}` : `${record} ${revisions![0]!.version}`;
};

/** The promises that hold: what was acknowledged before the copy stays, what came after is lost in the part that was set back alone. */
export function findings(of: SetBack): Finding[] {
  const { part, copy, shown, isBack, revoked } = of;
  const found: Finding[] = [];
  const expect = (text: string, isExpected: boolean) => found.push({ text, isExpected });
  const isOfStreams = part.endsWith('streams');
  type Done = Pick<Entry, 'begunAt' | 'endedAt' | 'outcome' | 'attempts'>;
  const isBefore = ({ endedAt }: Done) => endedAt < copy.from;
  const isAfter = ({ begunAt }: Done) => begunAt > copy.to;
  const compare = <Each extends Done>(
    name: string,
    made: readonly Each[],
    service: string,
    isLost: (each: Each) => boolean,
  ) => {
    // A repetition with a key of before answers with an object of before.
    const after = made.filter((each) => isAfter(each) && each.attempts.at(-1)?.isReplay !== true);
    const lost = after.filter(isLost).length;
    expect(
      `${after.length} ${name} from after the copy: ${lost} are missing`,
      lost === (part === service ? after.length : 0) && !made.filter(isBefore).some(isLost),
    );
  };
  const madeOf = ({ outcome }: Done) => (outcome.is === 'done' && outcome.result.made) || '';
  compare('Records', entriesOf(of, 'push'), 'record-store', ({ outcome }) => {
    return outcome.is === 'done' && !shown.records.has(outcome.result.record!);
  });
  const grants = entriesOf(of, 'grant').filter((entry) => !revoked.has(madeOf(entry)));
  compare('grants', grants, 'grants', (entry) => !shown.grants.has(madeOf(entry)));
  compare(
    'e-mails of the history',
    entriesOf(of, 'draft'),
    'mail',
    ({ action }) => !shown.drafts.has(action.key),
  );
  compare('files', entriesOf(of, 'file'), 'knowledge', ({ action }) => !shown.files.has(action.key));

  const revived = revoked.intersection(shown.grants).size;
  expect(
    `${revoked.size} grants revoked after the copy: ${revived} work again`,
    revived === (part === 'grants' ? revoked.size : 0),
  );
  for (const [what, service] of [
    ['member', 'grants'],
    ['record', 'record-store'],
    ['endpoint', 'events'],
  ] as const)
    expect(
      `a removed ${what} is ${isBack[what] ? 'there again' : 'not there'}`,
      isBack[what] === (part === service),
    );

  const former = new Set(of.entries.map(({ outcome }) => nameOf(outcome)));
  const changed = of.entries.filter((entry, index) => nameOf(of.repeated[index]!) !== nameOf(entry.outcome));
  const ids = of.entries.map((_, index) => nameOf(of.repeated[index]!));
  expect(
    `all ${of.entries.length} calls repeated with their keys succeed; ${changed.length} made their object anew`,
    of.repeated.every(({ is }) => is === 'done') &&
      changed.every((entry) => {
        const { what } = entry.action;
        return RENAMED.includes(what) && serviceOf[what] === part && !isBefore(entry);
      }),
  );
  expect(
    'no former id has another owner',
    of.entries.every((entry, index) => ids[index] === nameOf(entry.outcome) || !former.has(ids[index]!)),
  );
  const pushed = new Set(entriesOf(of, 'push').map(({ action }) => action.key));
  expect('each key has one Record', of.keys.length === pushed.size && pushed.isSubsetOf(new Set(of.keys)));
  const mails = new Set(entriesOf(of, 'draft').map(({ action }) => action.key)).size;
  expect(`${mails} e-mails have ${of.draftsMade} drafts`, mails === of.draftsMade);
  expect(
    `the quota is right: recounts correct ${of.drift.join(' and ')} bytes`,
    of.drift.every((bytes) => bytes === 0),
  );

  expect(`a reader of the feed: ${of.feed}`, of.feed === (isOfStreams ? 'event_cursor_expired' : 'goes on'));
  const { hasLateEndpoint, signsWithRotated, undelivered, unaudited, auditedTwice } = of;
  expect(
    `an endpoint created later is ${hasLateEndpoint ? 'there' : 'missing'}`,
    hasLateEndpoint === (part !== 'events'),
  );
  expect(
    `the rotated secret ${signsWithRotated ? 'signs' : 'signs no more'}`,
    signsWithRotated === (part !== 'events'),
  );
  expect(`webhooks of ${undelivered} Records are missing`, undelivered === 0);
  expect(
    `entries of ${unaudited} Records are missing in the audit log, ${auditedTwice} have several`,
    unaudited === 0 && auditedTwice === 0,
  );
  expect('the chain of the audit log is whole', of.isChainWhole);
  // A block that was written anew has other entries, unless the same ones arrived together again.
  const block = of.isKnownBlockSame ? 'the same' : 'another one';
  expect(`the block noted before the restart is ${block}`, of.isKnownBlockSame || part === 'audit');
  return found;
}
