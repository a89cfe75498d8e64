/** Keeps a value in this tab while the browser is at another site. @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The value is larger than the storage of a browser. The Member enters it again.
  }
}

/** Returns a value that `keep` kept, and deletes it. @param {string} name @returns {any} */
export function take(name) {
  const kept = sessionStorage.getItem(name) ?? 'null';
  sessionStorage.removeItem(name);
  return JSON.parse(kept);
}
