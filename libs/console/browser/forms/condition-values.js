import { JsonText } from '../text/text.js';

/** A condition, whose value keeps every digit. @typedef {{ field: string, is: string, value: JsonText }} Condition */
/** A condition in a form, with the text of its value once somebody entered it. @typedef {Condition & { entered?: string }} Row */

export const LISTS = ['in', 'not_in'];
const OF_NUMBERS = ['above', 'at_least', 'below', 'at_most'];
const OF_TEXT = ['begins_with', 'ends_with', 'not_ends_with'];
export const COMPARISONS = ['equals', 'not_equals', ...LISTS, ...OF_NUMBERS, ...OF_TEXT];
const SCALAR = /^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null)$/;

/** A condition in words. @param {Condition} condition */
export const inWords = ({ field, is, value }) => `${field} ${is.replaceAll('_', ' ')} ${enteredOf(value)}`;

/** A value as somebody enters it. @param {JsonText} value */
export function enteredOf({ text }) {
  const value = JSON.parse(text);
  const texts = Array.isArray(value) ? value : [value];
  // As JSON where the parts of a list could not be told apart.
  if (texts.some((each) => typeof each === 'string' && /^[["]|,/.test(each))) return text;
  return Array.isArray(value) ? value.join(', ') : String(typeof value === 'string' ? value : text);
}

/** A row after a change of its field, comparison or text. The row reads an entered text anew. The value of a rule stays while the API accepts it: a value may have commas, or be text like a number. @param {Row} row @param {string | undefined} type of its field @returns {Row} */
export function changed(row, type) {
  if (row.entered === undefined && fits(row, type)) return row;
  return { ...row, value: meantBy(row.entered ?? enteredOf(row.value), row.is, type) };
}

/** Whether a value is of the form and the type that its comparison and its field take. @param {Row} row @param {string | undefined} type */
function fits({ is, value }, type = '') {
  const read = JSON.parse(value.text);
  if (!OF_TEXT.includes(is) && Array.isArray(read) !== LISTS.includes(is)) return false;
  const ofField = type === 'integer' ? 'number' : type;
  const kind = OF_NUMBERS.includes(is) ? 'number' : OF_TEXT.includes(is) ? 'string' : ofField;
  return (
    !['string', 'number', 'boolean'].includes(kind) || [read].flat().every((each) => typeof each === kind)
  );
}

/** The value of a condition: text where its field or its comparison is of text, and else the number or word of JSON that the text spells. @param {string} entered @param {string} is @param {string | undefined} type of the field @returns {JsonText} */
function meantBy(entered, is, type) {
  if (/^[["]/.test(entered) && isJson(entered))
    return new JsonText(LISTS.includes(is) && entered.startsWith('"') ? `[${entered}]` : entered);
  const isText = OF_TEXT.includes(is) || (type === 'string' && !OF_NUMBERS.includes(is));
  const scalar = (/** @type {string} */ part) => {
    const text = part.trim();
    return !isText && SCALAR.test(text) ? text : JSON.stringify(text);
  };
  const isList = LISTS.includes(is) || (OF_TEXT.includes(is) && entered.includes(','));
  return new JsonText(isList ? `[${entered.split(',').map(scalar).join(',')}]` : scalar(entered));
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The fields of an input schema, by their paths, with their types. @param {any} schema @param {string} [path] @returns {import('./edits.js').Choice[]} */
export function pathsOf(schema, path = '') {
  if (schema.type === 'array') return pathsOf(schema.items ?? {}, `${path}/*`);
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0)
    return properties.flatMap(([name, each]) =>
      pathsOf(each, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  return schema.type === 'object' ? [[`${path}/`, path, '']] : [[path, path, schema.type ?? '']];
}
