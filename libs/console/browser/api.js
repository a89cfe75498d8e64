import { notFresh, token } from './sign-in.js';

/** A refusal of the platform: its `message` says what happened, and `next` what to do. */
export class Refusal extends Error {
  /** @param {{ code: string, message: string, next: string, requestId: string }} error */
  constructor({ code, message, next, requestId }) {
    super(message);
    this.code = code;
    this.next = next;
    this.requestId = requestId;
  }
}

/**
 * Calls the platform as the signed-in Member. Throws Refusal.
 *
 * @param {string} path
 * @param {{ method?: string, body?: object, parse?: (text: string) => any }} [call] `parse` reads the answer
 */
export async function call(path, { method = 'GET', body, parse = JSON.parse } = {}) {
  const response = await fetch(path, {
    method,
    headers: { Authorization: `Bearer ${token()}`, ...(body && { 'Content-Type': 'application/json' }) },
    credentials: 'omit',
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return parse(text);
  const { error } = JSON.parse(text);
  if (error.code === 'fresh_sign_in_required') notFresh();
  throw new Refusal(error);
}
