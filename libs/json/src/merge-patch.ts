import { commaSeparated } from './comma-separated.ts';
import { ExactJson } from './exact-json.ts';
import { type JsonNode, type MemberNode, type ObjectNode, textOf } from './scanner/json-tree.ts';
import { MAX_DEPTH, scanJson } from './scanner/scan-json.ts';

/**
 * Applies an RFC 7396 merge patch to an object, text to text.
 *
 * Members that the patch does not name keep their text and their order. Members that the patch sets keep the patch's text, in
 * the place and under the spelling of the name that they had, or at the end in the patch's order when they are new. Members
 * that are null in the patch, at any depth of its objects but not inside its arrays, are not in the result.
 *
 * @throws TypeError when the target or the patch is not an object.
 * @throws JsonDepthError when one of them is deeper than `MAX_DEPTH`.
 */
export function mergePatch(target: ExactJson, patch: ExactJson): ExactJson {
  return new ExactJson(mergeObjects(readObject(target, 'target'), readObject(patch, 'patch')));
}

/** A recorded value and the text that its positions point into. */
interface Located<Node extends JsonNode> {
  readonly text: string;
  readonly node: Node;
}

function readObject({ text }: ExactJson, role: 'target' | 'patch'): Located<ObjectNode> {
  const node = scanJson(text, { maxDepth: MAX_DEPTH, recordDepth: MAX_DEPTH });
  if (node.kind !== 'object') throw new TypeError(`The ${role} of a merge patch must be a JSON object`);
  return { text, node };
}

function mergeObjects(target: Located<ObjectNode>, patch: Located<ObjectNode>): string {
  const changes = new Map(patch.node.members.map((member) => [member.name, member]));
  const merged: string[] = [];
  for (const member of target.node.members) {
    const change = changes.get(member.name);
    changes.delete(member.name);
    if (change === undefined) {
      merged.push(label(target.text, member) + textOf(target.text, member.value));
    } else if (change.value.kind !== 'null') {
      const before = { text: target.text, node: member.value };
      merged.push(label(target.text, member) + mergeValues(before, { text: patch.text, node: change.value }));
    }
  }
  for (const added of changes.values()) {
    if (added.value.kind !== 'null') {
      merged.push(label(patch.text, added) + withoutNulls(patch.text, added.value));
    }
  }
  return `{${commaSeparated(merged)}}`;
}

function mergeValues(target: Located<JsonNode>, patch: Located<JsonNode>): string {
  const { text, node } = patch;
  if (node.kind !== 'object' || target.node.kind !== 'object') return withoutNulls(text, node);
  return mergeObjects({ text: target.text, node: target.node }, { text, node });
}

/** The result of a value of the patch where the target has no object to merge it into. */
function withoutNulls(text: string, node: JsonNode): string {
  if (node.kind !== 'object') return textOf(text, node);
  const kept = node.members
    .filter(({ value }) => value.kind !== 'null')
    .map((member) => ({ member, written: withoutNulls(text, member.value) }));
  // Leaving out a member makes a text shorter, and nothing makes it longer.
  const unchanged =
    kept.length === node.members.length &&
    kept.every(({ member: { value }, written }) => written.length === value.end - value.start);
  if (unchanged) return textOf(text, node);
  return `{${commaSeparated(kept.map(({ member, written }) => label(text, member) + written))}}`;
}

/** A member's name and colon with the white space after them, as written. */
function label(text: string, member: MemberNode): string {
  return text.slice(member.start, member.value.start);
}
