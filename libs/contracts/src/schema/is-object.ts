import { ExactJson } from '@action-platform/json';

/** Whether a value is a JSON object that was read into members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactJson)
  );
}
