/** Reads fields of untrusted JSON. Pure. */

/** Reads own properties only, so that no name reaches a prototype. Undefined if missing or `value` is not an object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
