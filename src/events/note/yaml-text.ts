/**
 * Front-matter values as text, the way PyYAML's `safe_dump` writes them, because the Python Anamnesis shares the files:
 * single quotes where a plain scalar would read as something else, `- ` lists that are not indented, floats with a
 * point. Long lines are not folded; both programs read them either way.
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
