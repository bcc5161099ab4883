import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskKeyFragments } from '../../../src/events/note/mask-text.js';
import { redact } from '../../../src/events/note/redact.js';

// Secrets are concatenated so that no secret scanner reports this file as a leak.
const alnum = (length: number): string => 'a1B2c3D4e5F6g7H8'.repeat(Math.ceil(length / 16)).slice(0, length);
const hex = (length: number): string => '9f86d081884c7d65'.repeat(Math.ceil(length / 16)).slice(0, length);

const awsId = `AK${'IA'}IOSFODNN7QRSTUVW`;
const awsSecret = `wJalrXUtnFEMI/K7MDENG${'/'}bPxRfiCYzzABC9KEYS`;
const github = `gh${'p_'}${alnum(36)}`;
const jwt = `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiIxMjM0NTY3ODkwIn0.${alnum(43)}`;
const pemLines = `${alnum(64)}\n${alnum(64)}\n${alnum(30)}==`;
const pem = (label: string, body = pemLines): string => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;

const textOf = (text: string): string => redact(text).text;
const expectUnchanged = (text: string): void => {
  expect(redact(text)).toEqual({ text, masked: [] });
};
/** Expects the one secret, between the two marks, to be masked as that kind and the rest to stay. */
const expectMasked = (kind: string, marked: string): void => {
  expect(redact(marked.replace(/[«»]/g, ''))).toEqual({
    text: marked.replace(/«.*»/s, `[REDACTED:${kind}]`),
    masked: [{ kind, count: 1 }],
  });
};

describe('a value beside a name that says more than secret', () => {
  const value = alnum(16);
  it.each([
    'DB_PASSWORD_RO',
    'TOKEN_GITHUB',
    'API_KEY_V2',
    'dbPasswordReplica',
    'secretForWebhook',
    'dbpass',
    'requirepass',
  ])('is masked if it looks generated: %s', (name) => {
    expectMasked('secret-value', `${name}=«${value}»`);
    expectUnchanged(`${name}=from-the-vault`);
  });
  it.each(['PASSWORD_MIN_LENGTH', 'SECRET_KEY_ID', 'token-file', 'passwordResetUrl', 'bypass'])(
    'stays if the name is that of another thing: %s',
    (name) => expectUnchanged(`${name}=${value}`),
  );
});

describe('a value that is piped into a command as its password', () => {
  it.each([
    `echo "«${alnum(16)}»" | docker login registry.acme.io -u ci --password-stdin`,
    `echo «${alnum(16)}» | sudo -S systemctl restart app`,
    `echo "deploy:«${alnum(16)}»" | sudo chpasswd`,
  ])('is masked: %s', (marked) => expectMasked('command-password', marked));
  it.each(['echo done | tee log', 'echo "$PASSWORD" | docker login -u ci --password-stdin'])(
    'stays in another: %s',
    (text) => expectUnchanged(text),
  );
});

describe('tokens with a prefix', () => {
  const tokens: readonly (readonly [kind: string, name: string, token: string])[] = [
    ['aws-access-key', 'of a user', awsId],
    ['aws-access-key', 'of a session', `AS${'IA'}2E0A8F3B244C9986`],
    ['github-token', 'classic', github],
    ['github-token', 'of an app', `gh${'s_'}${alnum(36)}`],
    ['github-token', 'fine-grained', `github_${'pat_'}${alnum(22)}_${alnum(59)}`],
    ['gitlab-token', 'personal', `gl${'pat-'}${alnum(20)}`],
    ['gitlab-token', 'of a runner', `gl${'rt-'}t1_${alnum(20)}`],
    ['gitlab-token', 'with a routing part', `gl${'pat-'}${alnum(27)}.01.0a1b2c3d4`],
    ['slack-token', 'of a bot', `xox${'b-'}123456789012-1234567890123-${alnum(24)}`],
    ['slack-token', 'of an app', `xa${'pp-'}1-A0123456789-1234567890123-${hex(64)}`],
    ['google-api-key', 'of a project', `AI${'za'}Sy${alnum(33)}`],
    ['google-oauth', 'access token', `ya${'29.'}a0AfH6SM${alnum(40)}`],
    ['google-oauth', 'client secret', `GOC${'SPX-'}${alnum(28)}`],
    ['stripe-key', 'live secret', `sk_${'live_'}${alnum(24)}`],
    ['stripe-key', 'of a webhook', `wh${'sec_'}${alnum(32)}`],
    ['npm-token', 'of a publisher', `npm${'_'}${alnum(36)}`],
    ['anthropic-key', 'of an API', `sk-${'ant-'}api03-${alnum(50)}_${alnum(30)}-AA`],
    ['openai-key', 'of a project', `sk-${'proj-'}${alnum(48)}`],
    ['openai-key', 'classic', `sk-${alnum(20)}T3Bl${'bkFJ'}${alnum(20)}`],
    ['api-key', 'of a router', `sk-${'or-'}v1-${hex(64)}`],
    ['api-key', 'with a UUID', `pk-${'lf-'}550e8400-e29b-41d4-a716-446655440000`],
    ['jwt', 'signed', jwt],
  ];
  describe.each([
    ['prose', 'The deploy used «?», which was rotated since.'],
    ['a sentence end', 'We signed in with «?».'],
    ['a shell export', 'export DEPLOY_KEY=«?»\nmake deploy'],
    ['YAML', 'deploy:\n  key: «?»\n  region: eu-west-1\n'],
    ['JSON', '{ "deploy": { "key": "«?»", "retries": 3 } }'],
    ['an env file', 'NODE_ENV=test\nDEPLOY=«?»\n'],
    ['a curl line', "curl -H 'X-Deploy: «?»' https://api.test/v1"],
    ['a code block', 'Run:\n\n```sh\nlogin --with «?»\n```\n'],
    ['an escaped line', '"first line\\n«?»\\nlast line"'],
  ])('in %s', (_, around) => {
    it.each(tokens)('masks the %s %s and nothing else', (kind, _name, token) => {
      expectMasked(kind, around.replace('?', token));
    });
  });
  it('keeps the host of a Slack webhook readable', () => {
    expectMasked('slack-webhook', `post to https://hooks.slack.com/services/«T01AB2CD3/B01AB2CD3/${alnum(24)}»`);
  });
  it.each([
    ['a prefix alone', 'tokens start with ghp_ or github_pat_, npm_config_registry is no token'],
    ['a token that is too short', `ghp_${'a1B2'.repeat(4)} and AKIA1234`],
    ['an AWS id inside a longer run', `${alnum(20)}${awsId}${alnum(20)}`],
    ['a token filled with one letter', `ghp_${'x'.repeat(36)} sk_test_${'0'.repeat(24)}`],
    ['a token spelled as words', 'xoxb-your-bot-token-here, sk-ant-your-api-key-goes-here, sk-proj-your-project-key'],
    ['slugs that begin like keys', 'sk-learn-based-something-long-enough and sk-estimator-id-12-doc-link'],
    ['words that end like prefixes', `task-force-${hex(32)}, flask_pk-learn, disk-${alnum(30)}`],
    ['a name with dots that begins like a jwt', 'eyJust.another.property and eyJ alone'],
  ])('leaves alone %s', (_, text) => expectUnchanged(text));
});

describe('private keys', () => {
  it.each([
    ...['RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', ''].map((label) => [label, pem(`${label}PRIVATE KEY`)]),
    ['PGP', pem('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\n\n${pemLines}\n=aB1c`)],
    ['RSA with headers', pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n${pemLines}`)],
    ['JSON-escaped', JSON.stringify(pem('PRIVATE KEY')).slice(1, -1)],
    ['indented', pem('PRIVATE KEY').replaceAll('\n', '\n    ')],
  ])('masks a %s block from BEGIN to END', (_, block) => {
    expectMasked('private-key', `{"key": "«${block}»\\n"}\nafter`);
  });
  it.each([
    ['to the end of its base64 lines', `«-----BEGIN EC PRIVATE KEY-----\n${pemLines}»\n\nThe log goes on`],
    ['with the short line that the text ends in', `«-----BEGIN PRIVATE KEY-----\n${alnum(64)}\n${alnum(9)}»`],
  ])('masks a block without END %s', (_, marked) => expectMasked('private-key', marked));
  it('masks two blocks separately, the first one without END', () => {
    const cut = `-----BEGIN EC PRIVATE KEY-----\n${alnum(64)}\n`;
    expect(textOf(`${cut}see\n${pem('EC PRIVATE KEY')}`)).toBe('[REDACTED:private-key]\nsee\n[REDACTED:private-key]');
  });
  it.each([
    ['the header named in prose', 'A key file starts with -----BEGIN RSA PRIVATE KEY----- and is text.'],
    ['both edges named in prose', 'From -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----.'],
    ['an elided block', pem('PRIVATE KEY', '...')],
    ['code that checks the header', "if (text.startsWith('-----BEGIN OPENSSH PRIVATE KEY-----')) return parse(text);"],
    ['a certificate or a public key', pem('CERTIFICATE') + pem('PUBLIC KEY')],
  ])('leaves alone %s', (_, text) => expectUnchanged(text));
});

describe('AWS secret keys', () => {
  it.each([
    ['a shell export', `export AWS_SECRET_ACCESS_KEY="«${awsSecret}»"`],
    ['JSON', `{"SecretAccessKey": "«${awsSecret}»", "Version": 1}`],
    ['a command', `aws configure set aws_secret_access_key «${awsSecret}» --profile ci`],
    ['prose', `- AWS Secret Access Key: \`«${awsSecret}»\``],
  ])('masks the one in %s', (_, marked) => expectMasked('secret-value', marked));
  it('masks the one beside its id', () =>
    expect(textOf(`keys: ${awsId} ${awsSecret}`)).toBe('keys: [REDACTED:aws-access-key] [REDACTED:aws-secret-key]'));
  it('leaves alone 40 characters without such a key', () => expectUnchanged(`commit ${hex(40)}, blob ${awsSecret}`));
});

describe('passwords in URLs', () => {
  it.each([
    ['a database', 'postgres://app:«s3cr3t-pw»@db/x'],
    ['a cache without users', 'redis://:«s3cr3t-pw»@localhost:6379/0'],
    ['a git remote', 'git remote add ci https://bot:«s3cr3t-pw»@git.test/team/repo.git'],
    ['an env file', 'DATABASE_URL=mysql://root:«s3cr3t-pw»@127.0.0.1:3306/app'],
    ['JSON with escaped slashes', '{"url":"https:\\/\\/bot:«s3cr3t-pw»@git.test\\/repo"}'],
    ['a queue, to the last @', 'amqp://app:«p@ss»@queue:5672'],
    ['an address with a slash in it', 'postgres://app:«zRD8bB/OGkI6R»@db:5432/shop?mail=a@b.test'],
    ['an address with a question mark in it', 'redis://app:«zRD8bB?OGkI6R»@cache/0'],
  ])('masks the one of %s; scheme, user and host stay', (_, marked) => expectMasked('url-credentials', marked));
  it('names the kind of a token used as a password', () => {
    expectMasked('github-token', `https://x-access-token:«${github}»@github.com/o/r`);
  });
  it.each([`\${DB_PASS}`, '$PASS', '<password>', '{password}', 'password', '***', 'xxx', '%PASS%', 'your-password'])(
    'leaves alone the placeholder %s',
    (password) => expectUnchanged(`postgres://app:${password}@db/x`),
  );
  it.each([
    ['a port', 'http://localhost:8080/users/a@b.test and https://github.test:443/@scope/x'],
    ['other colons', 'https://api.test/v1/items?sort=name:asc#top, see http://docs.test:8080, mail me@example.test'],
    ['a remote of ssh', 'git@github.com:org/repo.git ssh://git@github.com:22/org/repo'],
    ['an image digest', 'docker://alpine:3.12@sha256:abcdef'],
  ])('leaves alone %s', (_, text) => expectUnchanged(text));
});

describe('Authorization', () => {
  it.each([
    ['bearer-token', `curl -H "Authorization: Bearer «${hex(40)}»" https://api.test`],
    ['basic-auth', `Authorization: Basic «${Buffer.from('admin:open sesame').toString('base64')}»\r\n`],
    ['jwt', `{"authorization": "Bearer «${jwt}»"}`],
  ])('masks the %s in %j', (kind, marked) => expectMasked(kind, marked));
  it.each([
    'Bearer token, Bearer authentication and the bearer-authentication-scheme',
    `Bearer $API_TOKEN_OF_THIS_SERVICE, Bearer \${token}, Bearer <your-access-token-here>`,
    'Basic usage, basic merchantability and Basic Internationalization',
  ])('leaves alone %s', (text) => expectUnchanged(text));
});

describe('values beside a sensitive key', () => {
  it.each([
    ['an env file', 'DB_PASSWORD=«hunter2abc»'],
    ['an env file, with signs', 'DB_PASS=«ab#cd!12,3» # dev only'],
    ['an env file, of words and a number', 'DATADOG_API_KEY=«correct-staple-3615»'],
    ['quotes, without a digit', "SIGNING_KEY='«ldGwAsvLyyBF»'"],
    ['JSON, with one digit', '"access_token": "«scdsmulouEX7»"'],
    ['a shell export', `export MY_SERVICE_TOKEN=«${hex(32)}»`],
    ['a command', 'docker run -e MYSQL_ROOT_PASSWORD=«s3cr3tpw9» mysql:8'],
    ['a compose file', '      - POSTGRES_PASSWORD=«pg1admin»'],
    ['YAML', '  password: «hunter2abc»\nretries: 12345678'],
    ['YAML with quotes', "  client-secret: '«k9Xw2pQ7»'"],
    ['JSON', '{ "password": "«hunter2»", "user": "app" }'],
    ['JSON within a string', `"{\\"apiKey\\": \\"«${hex(20)}»\\"}"`],
    ['TypeScript', `const config = { githubToken: '«${alnum(20)}»', retries: 3 };`],
    ['TypeScript with a type', "const password: string = '«hunter2abc»';"],
    ['Python with a type', 'password: str = "«hunter2abc»"'],
    ['an index', `settings["auth_token"] = "«${alnum(20)}»"`],
    ['Go', `token := "«${alnum(20)}»"`],
    ['Ruby', `:credentials, 'private_key' => '«${alnum(20)}»'`],
    ['a settings file', 'SECRET_KEY = "«django-insecure-4k2#x9$mz»"'],
    ['a query', `GET /items?access_token=«${hex(20)}»&page=2`],
    ['a header', `curl -H "X-Api-Key: «${hex(32)}»" https://api.test`],
    ['a flag', 'mysql --password=«hunter2abc» app'],
    ['a default of the shell', `\${DB_PASSWORD:-«hunter2abc»}`],
    ['a connection string', 'Server=db;User=sa;Password=«s3cr3t!pw9»;Encrypt=true'],
    ['a settings line of npm', '//registry.npmjs.org/:_authToken=«9f86d081-884c-7d65-9a2f-eaa0c55ad015»'],
    ['prose', `The staging API key: «${hex(24)}».`],
    ['a markdown list', '- **Passphrase:** `«x9$kQ-2mLp»`'],
  ])('masks the value in %s; key and quotes stay', (_, marked) => expectMasked('secret-value', marked));
  it('masks the value of each of two pairs', () => {
    const found = { text: 'pwd="[REDACTED:secret-value]" pwd="[REDACTED:secret-value]"' };
    expect(redact('pwd="hunter2" pwd="abc123def"')).toEqual({ ...found, masked: [{ kind: 'secret-value', count: 2 }] });
  });
  it.each([
    ['reads of the environment', 'token = process.env.GITHUB_TOKEN2; pw = os.environ["DB_PASSWORD_1"]'],
    ['calls', 'token = getToken2x9(), secret: z.string().min(8), password=getpass.getpass("Password: ")'],
    ['properties', 'password: config.password, secret: "auth.v2a1b.x", token = self.token2, secret=app1.auth2.x3'],
    ['parameters', 'def login(password=None, token=token2, secret: str = None): pass'],
    ['types', 'password: string; secret: Option<String>, apiKey?: Uint8Array'],
    ['comparisons', 'if (password == "hunter2abc" || token >= a1b2c3d4e5 || secret !== x9y8z7w6v5) std::token::a1b2c3'],
    ['variables', `PASSWORD=\${DB_PASS1a2} TOKEN=$TOKEN1a2b3c secret: {{ vault_1a2b3c }} token=%TOKEN1A2B%`],
    ['templates', `token: \${{ secrets.NPM_TOKEN_1A2B }} and "secret": "{token1a2}" and token: "%s1a2b3c4"`],
    ['marked places', 'token: <your-token-1a2b>, api_key="<api key 1a2b>", password: ********, secret = "***"'],
    ['placeholders', 'password: changeme123, secret=example-1a2b, api_key="your-api-key-1a2b", token: xxxx1a2bxxxx'],
    ['test values', 'password: test1234, token: dummy1a2b3, secret: REDACTED, passwd="password1"'],
    ['words of a setting', 'password: required, secret: none, token: null, credentials: true, pwd: undefined'],
    ['prose', 'The token: it expires after 24h. "password": "Use at least 8 characters and 1 digit"'],
    ['short values', 'password: a1b2c, token: abc123, "password": "abc1"'],
    ['counts', 'max_tokens: 1024, "max_tokens": 100000, tokens = 4096, token_count: 12345678, token: 1234567890'],
    ['names of secrets', 'SECRET_NAME=a1b2c3d4e5, secret: db-creds-2, arn:aws:us-east-1:1234:secret:db-Ab1dEf'],
    ['tokens of a page and of a model', 'nextPageToken: "CDIQAA1b2C3d4", eos_token = "a1b2c3d4e5"'],
    ['paths', 'ssl_private_key: /etc/ssl/private/key1a2b3c.pem, secret: ~/.secrets/a1b2c3d4, token="./t/a1b2c3d4"'],
    ['addresses', 'token: https://login.test/a1b2c3d4e5, secret: "https://a.test/b1c2", token: "u1a2b@mail1.test"'],
    ['design tokens', 'token: "color.primary.500", token: "spacing-2xl", --brand-token: #ff00aa12; token: 1.5rem'],
    ['technical names', 'password: Argon2id, secret: base64url, token: x509cert, token: "sha256", pwd: "pbkdf2"'],
    ['times and versions', 'token: 2024-01-02, credentials: v1.2.3-beta.4, secret: react@18.2.0'],
    ['patterns', 'password: /^[a-z0-9]{8}$/, "password": "^(?=.*\\d).{8,}$", token: "[a-f0-9]+.*"'],
  ])('leaves alone %s', (_, text) => expectUnchanged(text));
});

describe('the result', () => {
  it('counts the secrets of each kind, sorted by kind', () => {
    const { masked } = redact(`${jwt} ${github} ${github} ${awsId}`);
    const counts = masked.map(({ kind, count }) => `${count} ${kind}`);
    expect(counts).toEqual(['1 aws-access-key', '2 github-token', '1 jwt']);
  });
  it('counts one secret where two kinds overlap', () => expectMasked('github-token', `GITHUB_TOKEN=«${github}»`));
  it('masks no marker again, and no text beside one', () => {
    expectUnchanged('[REDACTED:github-token]: a1b2c3d4e5, password: [REDACTED:secret-value] "token": "[REDACTED:jwt]"');
    expectUnchanged('postgres://[REDACTED:github-token]:[REDACTED:url-credentials]@db Bearer [REDACTED:bearer-token]');
  });
});

const proseWord = fc.constantFrom(
  ...'the a note says that password token secret key is kept in journal for each agent and basic bearer'.split(' '),
  ...'`git push`|v1.2.3|2024-05-06|**bold**|https://docs.test/a/b?c=d|ünïcode|漢字|note.ts|fn(x1, y2)'.split('|'),
  ...'api_key|max_tokens: 1024|{ "a": 1 }|(see below)|password:|token ='.split('|'),
);
const prose = fc
  .array(fc.tuple(proseWord, fc.constantFrom(' ', ' ', ' ', ', ', '. ', '\n', '\n\n- ', ': ')), { maxLength: 60 })
  .map((parts) => parts.flat().join(''));

const someOf = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** The fixed end keeps a shrunk value from being a word. */
const randomText = (length: number) => someOf(upper + upper.toLowerCase(), length - 8).map((text) => `${text}a1B2c3D4`);
const secretByKind: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'aws-access-key': someOf(upper, 14).map((text) => `AK${'IA'}${text}Q7`),
  'github-token': fc.tuple(fc.constantFrom(...'pousr'), randomText(36)).map(([kind, text]) => `gh${kind}_${text}`),
  'gitlab-token': randomText(20).map((text) => `gl${'pat-'}${text}`),
  'slack-token': randomText(24).map((text) => `xox${'b-'}1234567890-${text}`),
  'google-api-key': randomText(35).map((text) => `AI${'za'}${text}`),
  'google-oauth': randomText(40).map((text) => `ya${'29.'}${text}`),
  'stripe-key': randomText(24).map((text) => `sk_${'live_'}${text}`),
  'npm-token': randomText(36).map((text) => `npm${'_'}${text}`),
  'anthropic-key': randomText(80).map((text) => `sk-${'ant-'}api03-${text}`),
  'openai-key': randomText(48).map((text) => `sk-${text}`),
  'api-key': someOf('0123456789abcdef', 32).map((text) => `rk-a1b2${text}`),
  jwt: randomText(40).map((text) => `ey${'J'}${text}.ey${'J'}${text}.${text}`),
  'private-key': randomText(64).map((text) => pem('RSA PRIVATE KEY', text)),
};

describe('any text', () => {
  it('stays unchanged when it is prose', () => fc.assert(fc.property(prose, (text) => expectUnchanged(text))));
  it.each(Object.entries(secretByKind))('has every %s masked, wherever it is in prose', (kind, secret) => {
    const planted = fc.tuple(prose, secret, prose);
    fc.assert(fc.property(planted, ([before, text, after]) => expectMasked(kind, `${before} «${text}» ${after}`)));
  });
  it('is not changed by a second masking', () => {
    const edges = '-----BEGIN PRIVATE KEY-----\n|-----END PRIVATE KEY-----|[REDACTED:|\\n|sk-|eyJ|ghp_'.split('|');
    const keys = 'password|token: |API_KEY=|"secret": "|://u:|Bearer |Basic |\nDB_PASSWORD=|aws_secret '.split('|');
    const signs = '"\'`=:@/\\.-_,;[](){}<>$& \n';
    const pieces = [prose, fc.string({ maxLength: 12 }), fc.constantFrom(...edges, ...keys), fc.constantFrom(...signs)];
    const mixture = fc.array(fc.oneof(...Object.values(secretByKind), ...pieces), { maxLength: 12 });
    fc.assert(fc.property(mixture, (parts) => expectUnchanged(textOf(parts.join('')))));
  });
});

it('finds more secrets in a text than a function call accepts arguments', () => {
  const key = 'Private-Lines: 1\nQUJDREVG \n';
  expect(redact(key.repeat(200_000)).masked).toEqual([{ kind: 'private-key', count: 200_000 }]);
});
it('reads more lines of hashes than a function call accepts arguments', () => {
  const hashes = `${'0123456789abcdef'.repeat(4)}\n`.repeat(200_000);
  expect(maskKeyFragments(hashes)).toBe(hashes);
});

const folder = join(process.cwd(), '../shared/eval');
const notesFiles = (existsSync(folder) ? readdirSync(folder) : [])
  .map((name) => join(folder, name, 'notes.jsonl'))
  .filter((path) => existsSync(path));
it.skipIf(notesFiles.length === 0)('changes at most 1 in 1,000 public notes (needs ../shared/eval)', () => {
  const lines = notesFiles.flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean));
  const changed = lines.flatMap((line) => {
    const { id, title, body }: { id: string; title: string; body: string } = JSON.parse(line);
    const { masked } = redact(`${title}\n${body}`);
    return masked.length === 0 ? [] : [{ id, masked }];
  });
  expect(lines.length).toBeGreaterThan(11_000);
  expect(changed.length, JSON.stringify(changed)).toBeLessThanOrEqual(lines.length / 1000);
});
