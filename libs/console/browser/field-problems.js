/** The place that a message names, such as data.collectionIds[0], and what it says of the place. */
const PART = /^([\w.[\]-]+)(?:: | (?=is required|must ))(.*)$/s;

/**
 * The problems that a refusal names of each field of a form, and the rest of its message for the whole form.
 * @param {unknown} failure
 * @param {readonly { name: string }[]} fields
 * @returns {{ byName: Record<string, string>, rest: string, isOfFields: boolean }}
 */
export function problemsOf(failure, fields) {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (/** @type {any} */ (failure)?.code !== 'invalid_request' || fields.length === 0)
    return { byName: {}, rest: message, isOfFields: false };
  /** @type {Record<string, string>} */
  const byName = {};
  const rest = [];
  for (const part of message.replace(/\.$/, '').split('; ')) {
    const [, place = '', said = ''] = PART.exec(part) ?? [];
    const named = place.split(/[.[\]]/);
    const field =
      fields.find(({ name }) => name === place) ?? fields.find(({ name }) => named.includes(name));
    if (field === undefined) rest.push(part);
    else byName[field.name] = said;
  }
  return { byName, rest: rest.join('; '), isOfFields: rest.length === 0 };
}
