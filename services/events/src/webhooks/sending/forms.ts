import type { WebhookForm } from '@action-platform/contracts/resources';

/** A form for people, in place of the event itself. */
export type MessageForm = Exclude<WebhookForm, 'event'>;

/** The title, the facts and the page of an event, for people. */
export interface Notice {
  readonly title: string;
  /** Names and their values. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The address of its page. */
  readonly page: string;
}

/** How many of the events of a message it describes. */
export const DESCRIBED_MAX = 10;

/**
 * The body of a message about some events.
 *
 * @param notices those of the first events, at most `DESCRIBED_MAX`.
 * @param count how many events it stands for.
 */
export function messageBody(form: MessageForm, notices: readonly Notice[], count: number): string {
  const heading = count === 1 ? notices[0]!.title : `${count} events`;
  return JSON.stringify(messages[form](heading, notices));
}

const messages: Readonly<Record<MessageForm, (heading: string, notices: readonly Notice[]) => object>> = {
  // An incoming webhook of Slack: `text` is the notification, `blocks` the message.
  slack: (heading, notices) => ({
    text: escaped([heading, ...notices.map(({ page }) => page)].join('\n')),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: heading } },
      ...notices.map(({ title, facts, page }) => {
        const lines = facts.map(([name, value]) => `${name}: ${escaped(value)}`);
        const text = [`*${title}*`, ...lines, `<${page}|Open>`].join('\n');
        return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
      }),
    ],
  }),

  // A workflow of Teams posts an adaptive card. A TextRun has no Markdown, which names could hold.
  teams: (heading, notices) => {
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        rich([heading], 'Bolder'),
        ...notices.map(({ title, facts, page }) =>
          rich([title, ...facts.map(([name, value]) => `${name}: ${value}`), page]),
        ),
      ],
      actions: notices.map(({ page }) => ({ type: 'Action.OpenUrl', title: 'Open', url: page })).slice(0, 1),
    };
    const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
    return { type: 'message', attachments: [attachment] };
  },
};

function rich(lines: readonly string[], weight?: 'Bolder'): object {
  const text = lines.join('\n');
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...(weight && { weight }) }] };
}

/** A text without control sequences of Slack, such as those of mentions. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
