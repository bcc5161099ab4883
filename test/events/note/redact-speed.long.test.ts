/** Masking takes time in proportion to the text, whatever the text is. */
import { expect, it, vi } from 'vitest';
import { tools } from '../../../src/events/note/redact/commands.js';
import { redact } from '../../../src/events/note/redact.js';

const units = [
  ...'a|A|1| |-|=|/|.|_|"|:|,|{|%|é|A1|aB1|Ab1-|eyJ|-eyJ|eyJaaaa.|sk-|ghp_|hf_|SK|s.|pwd=|pwd="|token:.|a://b:|://a@|x@'.split(
    '|',
  ),
  ...'https://a:b|password |password is |password for a |token |Bearer |the key is a1b2 |key,|api key |secret secret_'.split(
    '|',
  ),
  ...'--password |session=|auth=|auth: |cookie=|cookie: a=b; |Authorization: |sig=|&sig=a|user a |login a/'.split('|'),
  ...'is the |mysql |mysql -p|curl -u |docker login |net user a |set password |echo a|machine a login '.split('|'),
  ...'pwd:Xk9!aB2|password1|password1 is |1 is the password |1 as the secret |password="|pw |auth(|--token |пароль '.split(
    '|',
  ),
  ...'AKIA|AKIAAAAAAAAAAAAAAAAA |AC0123456789abcdef0123456789abcdef |<br>|%0A|[REDACTED:|[REDACTED:jwt]|a:1:a:a:'.split(
    '|',
  ),
  ...[
    '\u001b',
    '\u001b[0m',
    '\u001b[0;',
    'a\u001b[0m',
    '\u001b]',
    '\u001b]8;;a\u0007',
    '\\u001b[0m',
    '\\e[0;',
    '^[[0m',
  ],
  ...['%3d', '%25', '\\x3d', 'a\\_', '\\', '\\\\"', '&#27;[', '&nbsp;', '&amp;', '&quot;', '&quot;password&quot;:'],
  ...[
    '\u00a0',
    'password\u00a0',
    'a\u3000：',
    'token：\u2028',
    'ｐａｓｓ',
    'ｐａｓｓｗｏｒｄ\u3000',
    '%3A+',
    'token%3Aa+b',
  ],
  ...[
    '密码是a',
    'password：a，',
    'password</td><td>',
    'password: <b>',
    'net use \\\\a a ',
    'token: 1.1.',
    'token=1a1a',
    'key: a-1-',
  ],
  ...[
    "token: a b='",
    'password: "a1b2c3d4 ',
    "password: 'a1b2c3d4\n",
    'token=\\"a\\_',
    'token="""',
    'password=a,b=',
    'x:a@',
  ],
  '\n',
  '\\n',
  '|key|\n',
  'password,a\n',
  'data:\n',
  'kind: Secret\ndata:\n  a: b\n',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----BEGIN PRIVATE KEY-----\nVersion: ',
  '-----END PRIVATE KEY-----\n',
];
const textOf = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Processor time in milliseconds. */
const costOnce = (text: string): number => {
  const before = process.cpuUsage();
  redact(text);
  return process.cpuUsage(before).user / 1000;
};

/** The cost of the fastest of three runs, so that other processes on the machine hardly matter. */
const cost = (text: string): number => Math.min(costOnce(text), costOnce(text), costOnce(text));

it.each(['--password curl ', '--password wget ', 'curl --password '])(
  'terminates for a repeated %j when the inspected part ends within a mask',
  (unit) => {
    for (const length of [1700, 1800, 2048, 5000, 20_000]) {
      const { text } = redact(textOf(unit, length));
      expect(redact(text).text).toBe(text);
    }
  },
);

it.each([40, 40_000])('masks a password of "X9kq" repeated %i times whole', (times) => {
  const { text } = redact(`password=${'X9kq'.repeat(times)} and more`);
  expect(text).toBe('password=[REDACTED:secret-value] and more');
});

/** Matching a command may take quadratic time, because the text before a password identifies it. */
it.each([
  ['rabbitmqctl add_user', ' '],
  ['vault login', ' '],
  ['vault login', '\t'],
  ['net user a', ' '],
  ['wpa_passphrase a', ' '],
  ['htpasswd -b a', ' '],
])('examines only a limited part of the command %j with %j repeated', (command, unit) => {
  const patterns = new Set([...tools.values()].flatMap((tool) => tool.values()));
  const matchAll = vi.spyOn(String.prototype, 'matchAll');
  try {
    redact(`${command}${unit.repeat(20_000)}`);
    const { calls, contexts } = matchAll.mock;
    const read = contexts.map(String).filter((_, at) => [...patterns].some((pattern) => pattern === calls[at]?.[0]));
    expect(read.length).toBeGreaterThan(0);
    expect(Math.max(...read.map(({ length }) => length))).toBeLessThanOrEqual(4000);
  } finally {
    matchAll.mockRestore();
  }
});

const kib = 1024;
it.each(units)('reads four times as much of %j in about four times the time', (unit) => {
  redact(textOf(unit, 4 * kib));
  const long = textOf(unit, 256 * kib);
  // Twice the 60 ms that a quiet machine may take. A pattern that scans ahead from every position takes seconds.
  const most = 120;
  const first = costOnce(long);
  const limit = first < most ? most : Math.max(most, cost(textOf(unit, 64 * kib)) * 6 + 10);
  // A single slow run may be due to the machine.
  expect(first < limit ? first : cost(long)).toBeLessThan(limit);
});

const edge = (name: string): string => `-----${name} PRIVATE KEY-----`;

it.each([
  ['whole', `${edge('BEGIN')}\n${'aB1'.repeat(3_500_000)}\n${edge('END')}\n`],
  ['of a provider', `sk-${'aB1'.repeat(3_500_000)}\n`],
  ['of a chat', `xoxb-${'aB1'.repeat(3_500_000)}\n`],
  ['cut at its end', `${edge('BEGIN')}\n${'aB1'.repeat(3_500_000)}\n`],
])('terminates for a key that is one line of many megabytes, %s', (_, text) => {
  expect(redact(text).masked).toHaveLength(1);
});
