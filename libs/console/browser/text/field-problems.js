/** The place that a message names, such as data.collectionIds[0], and the fault of the place. */
const PART = /^([\w.[\]-]+)(?:: | (?=is required|must ))(.*)$/s;

/** The faults that a refusal names of each field of a form, and the other faults. A fault within the value of a field keeps its place. @param {unknown} failure @param {readonly { name: string }[]} fields @returns {{ byName: Record<string, string>, ofForm: string, isOfFields: boolean }} */
export function problemsOf(failure, fields) {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (/** @type {any} */ (failure)?.code !== 'invalid_request' || fields.length === 0)
    return { byName: {}, ofForm: message, isOfFields: false };
  /** @type {Record<string, string>} */
  const byName = {};
  const ofForm = [];
  for (const part of message.replace(/\.$/, '').split('; ')) {
    const [, place = '', fault = ''] = PART.exec(part) ?? [];
    const named = place.split(/[.[\]]/);
    const field =
      fields.find(({ name }) => name === place) ?? fields.find(({ name }) => named.includes(name));
    if (field === undefined) ofForm.push(part);
    else byName[field.name] = place === field.name ? fault : part;
  }
  return { byName, ofForm: ofForm.join('; '), isOfFields: ofForm.length === 0 };
}
