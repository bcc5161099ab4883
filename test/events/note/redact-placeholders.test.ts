/** A placeholder is not masked; a random value that contains the word for one is. */
import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/events/note/redact.js';
import { alnum, lower, seeded } from '../../support/secrets/random.js';

const words = ['redacted', 'example', 'your', 'xxxx', 'sample', 'dummy', 'replace', 'changeme', 'placeholder'];
const places: readonly ((value: string) => string)[] = [
  (value) => `DB_PASSWORD=${value}`,
  (value) => `password: "${value}"`,
  (value) => `"api_key": "${value}"`,
  (value) => `The password is \`${value}\`.`,
  (value) => `postgres://app:${value}@db/x`,
  (value) => `mysql -u root -p${value} shop`,
  (value) => `kind: Secret\nstringData:\n  password: ${value}\n`,
  (value) => `ALTER USER app IDENTIFIED BY '${value}';`,
];

describe.each(words)('a random password with %j in it', (word) => {
  it.each(places.map((place) => [place('…'), place] as const))('is masked in %j', (_, place) => {
    const random = seeded(word.length);
    const exposed = Array.from({ length: 40 }, () => {
      const before = `${random.chars(alnum, [1, 6])}${random.int(0, 9)}`;
      const behind = `${random.chars(lower, 1)}${random.int(0, 9)}${random.chars(alnum, [5, 9])}Q`;
      return `${before}${random.pick(['', '-', '_'])}${word}${random.pick(['', '-'])}${behind}`;
    }).filter((value) => redact(place(value)).text.includes(value));
    expect(exposed).toEqual([]);
  });
});

describe.each(words)('random groups separated by signs, beside %j,', (word) => {
  it.each(places.map((place) => [place('…'), place] as const))('are masked in %j', (_, place) => {
    const random = seeded(word.length + 60);
    const exposed = Array.from({ length: 40 }, () => {
      const sign = random.pick(['-', '_']);
      const alphabet = random.pick([lower, lower.toUpperCase()]);
      // Each has a letter and a digit, as random groups mostly do.
      const groups = Array.from(
        { length: random.int(2, 5) },
        () => `${random.chars(alphabet, 1)}${random.int(0, 9)}${random.chars(alphabet, [1, 2])}${random.int(0, 9)}`,
      );
      return [word, ...groups].join(sign);
    }).filter((value) => redact(place(value)).text.includes(value));
    expect(exposed).toEqual([]);
  });
});

it.each([
  ...['sample-k3x9q-7f2m1-zz81p', 'replaced-7FQ2K-9XWZM-4T8BV-N3RHD', 'example_4f9a2_b7c1d_e3f8a'],
  ...['dummy-ab12-cd34-ef56', 'example-48213-99304-77123-x'],
])('%s in quotes is masked', (value) => {
  expect(redact(`password="${value}"`).text).toBe('password="[REDACTED:secret-value]"');
});

it.each([
  'Q7Z9K2M4XEXAMPLE',
  'xK9EXAMPLEKEYq2Lm4Vw',
  'Kq7redacted9Zx2',
  'x8Fexample2Qp!',
  'Tyour5Kp9wQz',
  'a1f3your9c2e7b04',
  'aXxxxx9kQ2Lm',
  'REDACTED-9fQ2xLm7Kz',
])('%s in settings is masked', (value) => {
  expect(redact(`DB_PASSWORD=${value}`).text).toBe('DB_PASSWORD=[REDACTED:secret-value]');
});

it('an AWS secret with EXAMPLE inside it is masked', () => {
  const secret = `wJalrXUtnFEMI/K7MEXAMPLE${'/'}bPxRfiCYzzABC9K`;
  expect(redact(`aws_secret_access_key = ${secret}`).text).toBe('aws_secret_access_key = [REDACTED:secret-value]');
});

describe('a documented example within a value does not prevent masking:', () => {
  it.each([
    ...[
      'abcdefghijklmnopqrstuvwxyzKq7#2Lm9',
      'Kq7#2Lm9abcdefghijklmnopqrstuvwxyz',
      'abcdefghijklmnopqrstuvwxyz-Kq7-2Lm9',
    ],
    ...[
      'Kq7#2Lm9IOSFODNN7EXAMPLE',
      '4eC39HqLyjWDarjtKq7#2Lm9',
      'x9K-mF_9.B5f-4.1JqM-Kq7#2Lm9',
      '1a2b5678-90ab-cdefKq7',
    ],
    ...['T00000000/B00000000/#Kq72Lm9', 'Kq7ABC-DEF1234ghIkl2Lm9', 'Kq72wwmvjuEXAMPLE9Lm'],
  ])('%s', (value) => {
    expect(redact(`DB_PASSWORD=${value}`).text).toBe('DB_PASSWORD=[REDACTED:secret-value]');
  });
});

describe('a documented example as a whole value stays unmasked:', () => {
  it.each([
    'token: ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    ...['Authorization: Bearer abcdefghijklmnopqrstuvwxyz1234567890', 'token=abcdefghijklmnopqrstuvwxyz0123456789ABCD'],
    'password: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*"',
    ...['stripe.api_key = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"', 'curl -u sk_test_BQokikJOvBiI2HlWgH4olfQ2: https://x'],
    'Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    'token: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"',
    `https://hooks.slack${'.com/services/'}T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX`,
    'token: ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
    'AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;',
    '"WebIdentityToken": "Atza%7CIQEBLjAsAhRFiXuWpUXuRvQ9PZL3GMFcYevydwIUFAHZwXZXXXXXXXXJnrulxKDHwy87oGKPznh0D6bEQZTSCzyoCtL_8S07pLpr0zMbn6w1lfVZKNTBdDansFBmtGnIsIapjI6xKR02Yc_2bQ8LZbUXSGm6Ry6"',
    '"SessionToken": "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="',
    '"VerificationToken": "eoEmxw+YaYhb3h3iVJHuXMJXqeu1q1/wwmvjuEXAMPLE"',
  ])('%s', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});

describe('a placeholder stays unmasked:', () => {
  it.each([
    ...['AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE', 'AWS_ACCESS_KEY_ID=AKIAI44QH8DHBEXAMPLE'],
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'aws_secret_access_key = je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY',
    ...[
      '"SessionToken": "AQoEXAMPLEH4aoAH0gNCAPyJxz4BlCFFxWNE1OPTgk5TthT+FvwqnKwRcOIfrRh3c/LTo6UDdyJwOOvEVPvLXCrrrUtdnniCEXAMPLE"',
    ],
    ...[
      '"ClientRequestToken": "EXAMPLE1-90ab-cdef-fedc-ba987SECRET1"',
      'token: "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111"',
    ],
    ...[
      '"VerificationToken": "EXAMPLE3VYb9EDI2nTOQRi/Tf6MI/6bD6THIGiP1MVY="',
      '"SessionToken": "AQoDYXdzEE0a8ANXXXXXXXXNO1ewxE5TijQyp+IEXAMPLE"',
    ],
    ...['api_key: your-api-key-here', 'api_key="YOUR_API_KEY_1"', 'apiKey: "yourApiKeyHere123"', 'TOKEN=your_token_2'],
    ...['password: <your password>', 'password: "<your-password-1a2b>"', 'password: MyExamplePassword1'],
    ...[
      'mysql://user:example@localhost',
      'postgres://u:your-password1@db/x',
      'redis://u:changeme1@h',
      'https://u:REDACTED@h/',
    ],
    ...['password=changeme123', 'password: ChangeMe123!', 'password: change-me-123', 'password: Replace_Me_1'],
    ...[
      'secret=example-1a2b',
      'token: dummy1a2b3',
      'secret: xxxx1a2bxxxx',
      'token: xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx',
    ],
    ...[
      'api_key = "sk-xxxxxxxxxxxx1234"',
      'password: "[REDACTED]"',
      'token: "REDACTED_TOKEN_1"',
      'password=sample_pass_2',
    ],
    ...[
      'password: "Enter your password (8 to 20 characters)"',
      'secret: "replace with a key of 32 bytes, as from sha256"',
    ],
    ...[
      'password: "example_p4ssw0rd"',
      'password: dummyPassw0rd',
      'DB_PASSWORD=P@ssw0rd-example',
      'secret: "s3cr3t-example"',
    ],
    ...['api_key: your-service2-key-v2', 'token: your-team1-token1', 'secret: example_key_2026_01_02'],
    'kind: Secret\nstringData:\n  password: your-password-1\n  token: <your token 2>\n',
  ])('%j', (text) => expect(redact(text)).toEqual({ text, masked: [] }));
});
