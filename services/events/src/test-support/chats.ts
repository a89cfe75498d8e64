/**
 * Stand-ins for the chats that no test can have. The stand-ins take what the published pages of Slack (incoming webhooks, Block Kit) and of
 * Microsoft (workflows of Teams, adaptive cards) take, and nothing else.
 */
import { isObject } from '@action-platform/contracts/schema';

/** The answer of a chat to a request. */
interface ChatAnswer {
  readonly status: number;
  readonly body: string;
}

/** An incoming webhook of Slack: 200 `ok`, or 400 with a word that says why. */
export function slack(contentType: string | undefined, body: string): ChatAnswer {
  const message = jsonOf(contentType, body);
  if (message === undefined || !hasOnly(message, ['text', 'blocks'])) return refused('invalid_payload');
  if (!isText(message.text, 40_000)) return refused('no_text');
  const blocks = message.blocks;
  if (!Array.isArray(blocks) || blocks.length > 50 || !blocks.every(isBlock))
    return refused('invalid_blocks');
  return { status: 200, body: 'ok' };
}

/** A workflow of Teams that posts the card of a request: 202, or 400; a message has at most 28 KB. */
export function teams(contentType: string | undefined, body: string): ChatAnswer {
  const message = jsonOf(contentType, body);
  if (message === undefined || message.type !== 'message' || !Array.isArray(message.attachments))
    return refused('BadRequest');
  if (Buffer.byteLength(body) > 28 * 1024) return { status: 413, body: 'RequestEntityTooLarge' };
  return message.attachments.length > 0 && message.attachments.every(isCard)
    ? { status: 202, body: '' }
    : refused('BadRequest');
}

function refused(body: string): ChatAnswer {
  return { status: 400, body };
}

function jsonOf(contentType: string | undefined, body: string): Record<string, unknown> | undefined {
  if (contentType?.split(';')[0] !== 'application/json') return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Blocks: a header of plain text, or a section of mrkdwn, in which only links stand in angle brackets. */
function isBlock(block: unknown): boolean {
  if (!isObject(block) || !hasOnly(block, ['type', 'text']) || !isObject(block.text)) return false;
  const { type, text } = block.text;
  if (block.type === 'header') return type === 'plain_text' && isText(text, 150);
  if (block.type !== 'section' || !hasOnly(block.text, ['type', 'text', 'verbatim'])) return false;
  if (type !== 'mrkdwn' || !isText(text, 3000)) return false;
  return !/[<>]/.test(text.replaceAll(/<https?:\/\/[^<>|]+\|[^<>|]+>/g, ''));
}

function isCard(attachment: unknown): boolean {
  if (!isObject(attachment) || !isObject(attachment.content)) return false;
  const { type, version, body, actions = [] } = attachment.content;
  if (attachment.contentType !== 'application/vnd.microsoft.card.adaptive') return false;
  if (type !== 'AdaptiveCard' || version !== '1.4' || !Array.isArray(body) || !Array.isArray(actions))
    return false;
  const isElement = (element: unknown) =>
    isObject(element) &&
    element.type === 'RichTextBlock' &&
    Array.isArray(element.inlines) &&
    element.inlines.every(isRun);
  const isLink = (action: unknown) =>
    isObject(action) && action.type === 'Action.OpenUrl' && /^https?:/.test(String(action.url));
  return body.length > 0 && body.every(isElement) && actions.length <= 6 && actions.every(isLink);
}

function isRun(run: unknown): boolean {
  return isObject(run) && run.type === 'TextRun' && isText(run.text, 28 * 1024);
}

function isText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= max;
}

function hasOnly(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
