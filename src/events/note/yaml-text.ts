/**
 * Front-matter values as PyYAML's `safe_dump` writes them, because the Python Anamnesis shares the files: single quotes
 * where needed, `- ` lists not indented, floats with a point. Long lines aren't folded.
 */

export type YamlValue = string | number | boolean | readonly string[];

/** Returns the lines of one key, each ended by `eol`. */
export const formatYamlKey = (key: string, value: YamlValue, eol: string): string => {
  if (typeof value === 'string') return `${key}: ${formatYamlString(value)}${eol}`;
  if (typeof value === 'number') return `${key}: ${formatYamlFloat(value)}${eol}`;
  if (typeof value === 'boolean') return `${key}: ${value}${eol}`;
  if (value.length === 0) return `${key}: []${eol}`;
  return `${key}:${eol}${value.map((entry) => `- ${formatYamlString(entry)}${eol}`).join('')}`;
};

/** PyYAML reads `1e-7` as text: a float needs a point, and a two-digit exponent. */
const formatYamlFloat = (value: number): string => {
  const [digits = '', exponent] = String(value).split('e');
  const number = digits.includes('.') ? digits : `${digits}.0`;
  return exponent === undefined ? number : `${number}e${exponent.replace(/(?<=^[-+])\d$/, '0$&')}`;
};

// YAML 1.1 plain scalars that are not strings: null, booleans, integers (also octal, hexadecimal, base 60), floats,
// timestamps, the merge and the default key.
const notAString = new RegExp(
  [
    '^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|y|Y|n|N|=|<<)$',
    '^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*)$',
    '^[-+]?(?:[0-9][0-9_]*(?:\\.[0-9_]*)?|\\.?[0-9_]*)(?:[eE][-+]?[0-9]+)?$',
    '^[-+]?(?:[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|\\.(?:inf|Inf|INF|nan|NaN|NAN))$',
    '^\\d{4}-\\d{1,2}-\\d{1,2}(?:$|[Tt \\t])',
  ].join('|'),
);
const indicator = /^[-?:,[\]{}#&*!|>'"%@`]|^\.\.\.|^\s|\s$|: |:$| #/;
// Control characters, other line breaks of YAML 1.1, the byte order mark, non-characters and lone surrogates.
const needsEscapes =
  /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const formatYamlString = (text: string): string => {
  if (needsEscapes.test(text)) {
    return JSON.stringify(text).replace(
      /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }
  if (text === '' || indicator.test(text) || notAString.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return text;
};
/**
 * Parses what nearly every note uses: `key: text`, `key: 'text'`, `key: []`, lists of texts, in a sixth of the parser's
 * time, the largest cost of a replay. A test checks that both agree. Undefined when a line is not in the plain form.
 */
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
    // A key without a value or a list below it is null in YAML, which is left to the parser.
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
// Begins with a letter, a digit, or a sign that begins names and paths in code, and with no YAML indicator; a colon
// must precede and a number sign follow a visible character; no tabs, and the last character is visible.
const plainScalar =
  /^(?!(?:null|Null|NULL)$)[A-Za-z0-9_$/(](?:(?:[ !"$-9;-~]|:(?=[!-~])|(?<! )#)*(?:[!"$-9;-~]|(?<! )#))?$/;
const quotedScalar = /^'[^'\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]*'$/u;

const readScalar = (text: string): string | undefined => {
  if (plainScalar.test(text)) return text;
  return quotedScalar.test(text) ? text.slice(1, -1) : undefined;
};
