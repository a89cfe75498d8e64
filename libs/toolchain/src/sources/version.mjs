/**
 * Whether the first version number in a text is at least the wanted one.
 *
 * @param {string} text what a program says about itself, such as `db version v8.2.6`
 * @param {string} minimum such as `8.0`; missing parts count as 0
 */
export function isAtLeast(text, minimum) {
  const version = parts(text);
  const wanted = parts(minimum);
  if (!version || !wanted) return false;
  const differing = version.findIndex((part, index) => part !== wanted[index]);
  return differing === -1 || Number(version[differing]) > Number(wanted[differing]);
}

/** @param {string} text */
function parts(text) {
  const match = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text);
  return match?.slice(1).map((part) => Number(part ?? 0));
}
