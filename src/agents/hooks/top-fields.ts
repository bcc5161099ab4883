/** Reads some fields of a JSON object without building the rest of it. Pure. */

/** Strings and booleans by name; fields of other types are left out. */
export type TopFields = ReadonlyMap<string, string | boolean>;

/**
 * A hook needs ten fields, whatever else a client sends: a million keys, or deeply nested lists, would take seconds to
 * parse into an object. Returns undefined unless the text is a JSON object. The last of several fields with one name
 * counts. The values of other fields are skipped and not checked to be JSON. Linear, at any depth.
 */
export const readTopFields = (text: string, names: ReadonlySet<string>): TopFields | undefined => {
  const found = new Map<string, string | boolean>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  at = skipSpace(text, at + 1);
  let isFirst = true;
  while (text[at] !== '}') {
    if (!isFirst) {
      if (text[at] !== ',') return undefined;
      at = skipSpace(text, at + 1);
    }
    isFirst = false;
    const nameEnd = endOfString(text, at);
    if (nameEnd === -1) return undefined;
    const name = readName(text, at, nameEnd);
    at = skipSpace(text, nameEnd);
    if (text[at] !== ':') return undefined;
    at = skipSpace(text, at + 1);
    const end = endOfValue(text, at);
    if (end === -1) return undefined;
    if (name !== undefined && names.has(name)) {
      const value = readValue(text, at, end);
      if (value === undefined) found.delete(name);
      else found.set(name, value);
    }
    at = skipSpace(text, end);
  }
  return skipSpace(text, at + 1) === text.length ? found : undefined;
};

/** Longer than any requested name, even with each of its characters escaped. */
const longestName = 400;

const readValue = (text: string, at: number, end: number): string | boolean | undefined => {
  if (text[at] === '"') return readString(text, at, end);
  const word = text.slice(at, Math.min(end, at + 5));
  return word === 'true' ? true : word === 'false' ? false : undefined;
};

/** Parses only names with escapes: hardly any name has one, and there may be a million names. */
const readName = (text: string, at: number, end: number): string | undefined => {
  if (end - at > longestName) return undefined;
  const plain = text.slice(at + 1, end - 1);
  return plain.includes('\\') ? readString(text, at, end) : plain;
};

const readString = (text: string, at: number, end: number): string | undefined => {
  try {
    const value: unknown = JSON.parse(text.slice(at, end));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

/** Returns the offset after the closing quote of the string that begins at `at`; -1 when there is none. */
const endOfString = (text: string, at: number): number => {
  if (text[at] !== '"') return -1;
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return -1;
    let slashes = 0;
    while (quote - 1 - slashes >= from && text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    from = quote + 1;
  }
};

/** Returns the offset after the value that begins at `from`; -1 when there is none. */
const endOfValue = (text: string, from: number): number => {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first !== '{' && first !== '[') {
    plainValue.lastIndex = from;
    return plainValue.test(text) ? plainValue.lastIndex : -1;
  }
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      at = endOfString(text, at);
      if (at === -1) return -1;
      continue;
    }
    if (unit === 0x7b || unit === 0x5b) depth += 1;
    else if (unit === 0x7d || unit === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return -1;
};

const plainValue = /(?:true|false|null|-?\d[\d.eE+-]{0,400})(?=[\s,}])/y;
