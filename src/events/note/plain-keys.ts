/**
 * The plain core of YAML that nearly every note is written in: `key: text`, `key: 'text'`, `key: []` and lists of them.
 * Read here in a sixth of the time that a YAML parser takes, which is what a replay of 100,000 notes spends most on;
 * whatever is not of this form goes to the parser. A test holds the two to the same answer.
 */

/** Values by key as YAML's failsafe schema gives them, or undefined when a line is not of the plain form. */
export const readPlainKeys = (yaml: string): Readonly<Record<string, unknown>> | undefined => {
  const values: Record<string, unknown> = {};
  let list: string[] | undefined;
  for (let at = 0; at < yaml.length; ) {
    const end = yaml.indexOf('\n', at);
    if (end === -1) return undefined;
    const line = yaml.slice(at, end);
    at = end + 1;
    if (line.startsWith('- ')) {
      const entry = readScalar(line.slice(2));
      if (entry === undefined || list === undefined) return undefined;
      list.push(entry);
      continue;
    }
    // A key with nothing behind it and no list below is YAML's null: left to the parser.
    if (list?.length === 0) return undefined;
    list = undefined;
    const colon = line.indexOf(':');
    const key = line.slice(0, colon);
    if (colon === -1 || !plainKey.test(key) || Object.hasOwn(values, key)) return undefined;
    if (colon === line.length - 1) {
      list = [];
      values[key] = list;
    } else if (line.endsWith(': []') && colon === line.length - 4) {
      values[key] = [];
    } else {
      const value = line[colon + 1] === ' ' ? readScalar(line.slice(colon + 2)) : undefined;
      if (value === undefined) return undefined;
      values[key] = value;
    }
  }
  return list?.length === 0 ? undefined : values;
};

const plainKey = /^(?!__proto__)[a-z_]+$/;
// Begins with no indicator: with a letter or digit, or as names and paths in code do; a colon stands before and a number sign
// after something visible; no tab, and a visible end.
const plainScalar =
  /^(?!(?:null|Null|NULL)$)[A-Za-z0-9_$/(](?:(?:[ !"$-9;-~]|:(?=[!-~])|(?<! )#)*(?:[!"$-9;-~]|(?<! )#))?$/;
const quotedScalar = /^'[^'\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*'$/u;

const readScalar = (text: string): string | undefined => {
  if (plainScalar.test(text)) return text;
  return quotedScalar.test(text) ? text.slice(1, -1) : undefined;
};
