/** Reading JSON that somebody else wrote. Pure. */

/** An own property, so that no name reaches a prototype; undefined where there is none, or no object. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
