/**
 * Texts with one secret each, in some fifty kinds of places, and texts that only look like it, from a seed. It was
 * written before the rules and measures what `redact` misses: never change it because a rule misses something.
 */
import { fill, shapedKinds } from './kinds.js';
import { alnum, base64, digits, hexDigits, lower, type Random, seeded, upper, urlSafe, uuid } from './random.js';

export type PlacedSecret = { readonly place: string; readonly text: string; readonly hidden: string };
export type LookAlike = { readonly kind: string; readonly text: string };

const nouns = 'harbor copper maple falcon winter staple correct battery summit orange river candle ticket velvet'.split(
  ' ',
);
const hosts = ['db.internal', 'db-2.prod.example.net', '10.0.3.17', 'cache', 'mq.eu-west-1.acme.io', 'localhost'];
const users = ['app', 'svc_reports', 'deploy', 'anna', 'root', 'ci-bot', 'postgres', 'u8342'];
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Secrets as people and programs make them; none is a mere word or a number. */
const generated = (r: Random): string =>
  r.pick([
    () => r.chars(alnum, [14, 40]),
    () => r.chars(lower, 5) + r.chars(upper, 2) + r.chars(lower, 3) + r.chars(upper, 3) + r.chars(digits, 1),
    () => r.chars(lower, 10) + r.chars(upper, 2) + r.chars(digits, 1),
    () => r.chars(hexDigits, r.pick([32, 40, 64])),
    () => r.chars(urlSafe, [22, 43]),
    () => `${r.chars(base64, r.pick([31, 43]))}=`,
    () => `${r.chars(upper, 1)}${r.chars(lower, 2)}${r.chars(upper, 1)}${r.chars(alnum, 8)}${r.chars(digits, 2)}`,
    () => uuid(r),
  ])();
const chosen = (r: Random): string =>
  r.pick([
    () => `${r.pick(nouns)}-${r.pick(nouns)}-${r.int(1000, 9999)}`,
    () => `${capital(r.pick(nouns))}${r.pick(['!', '-', '_', '.', '+', '*'])}${r.int(10, 9999)}${r.chars(lower, 2)}`,
    () => `${capital(r.pick(nouns))}${capital(r.pick(nouns))}${r.int(100, 9999)}`,
    () => `${r.chars(alnum, 5)}${r.pick(['!', '%', '+', '~', '^'])}${r.chars(alnum, 5)}${r.int(10, 99)}`,
    () => `${r.pick(nouns)}${r.int(10, 99)}${r.pick(nouns)}`,
    () => r.chars(alnum, [10, 18]) + r.int(0, 9),
  ])();
const either = (r: Random): string => (r.int(0, 1) === 0 ? generated(r) : chosen(r));
/** A password in an address, in which people forget to escape what the address gives a meaning. */
const inAddress = (r: Random): string =>
  r.chars(alnum, [5, 9]) +
  r.pick(['', '', '/', '?', '#', '@', ':', '/', '+', '%2F', '!']) +
  r.chars(alnum, [5, 9]) +
  r.int(0, 9);

const tokenNames = (r: Random): string =>
  r.pick(
    'access_token refresh_token api_key client_secret signing_key auth_token webhook_secret secret_key app_secret deploy_token encryption_key bot_token'.split(
      ' ',
    ),
  );
const passwordNames = (r: Random): string =>
  r.pick(
    'password db_password admin_password smtp_pass passwd redis_password passphrase root_password db_pwd'.split(' '),
  );
const anyName = (r: Random): string => (r.int(0, 1) === 0 ? tokenNames(r) : passwordNames(r));
const upperName = (r: Random): string =>
  `${r.pick(['', 'DATADOG_', 'APP_', 'GRAFANA_', 'PROD_'])}${anyName(r).toUpperCase()}`;
const camelName = (r: Random): string => anyName(r).replace(/_(\w)/g, (_, sign: string) => sign.toUpperCase());

type Part = (r: Random) => string;
type Place = readonly [secret: Part, text: (secret: string, r: Random) => string];
const of = (secret: Part, text: (secret: string, r: Random) => string): Place => [secret, text];

const issuers = (r: Random): string => r.pick(shapedKinds).make(r);
const pairOf = (user: string, secret: string): string => Buffer.from(`${user}:${secret}`).toString('base64');
const scheme = (r: Random): string =>
  r.pick(['postgres', 'postgresql', 'mysql', 'mongodb+srv', 'redis', 'amqp', 'mariadb', 'rediss']);
const address = (secret: string, r: Random): string =>
  `${scheme(r)}://${r.pick(users)}:${secret}@${r.pick(hosts)}${r.pick(['', ':5432', ':6379'])}/${r.pick(['app', '0', 'shop?ssl=true'])}`;
const jwt = (r: Random): string =>
  [
    { alg: 'HS256', typ: 'JWT' },
    { sub: r.chars(digits, 8), iat: r.int(1_600_000_000, 1_800_000_000) },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(r.chars(urlSafe, 43))
    .join('.');
const pemBody = (r: Random): string => Array.from({ length: r.int(3, 24) }, () => r.chars(base64, 64)).join('\n');
const edge = (which: string, kind: string): string => `-----${which} ${kind}PRIVATE KEY-----`;
const colored = (text: string, r: Random): string =>
  `\u001b[${r.pick(['32', '1;33', '0;36', '38;5;214'])}m${text}\u001b[0m`;

const places: Readonly<Record<string, Place>> = {
  '.env': of(either, (s, r) => `PORT=8080\n${upperName(r)}=${s}\nLOG_LEVEL=info\n`),
  '.env, quoted': of(
    either,
    (s, r) => `NODE_ENV=production\n${upperName(r)}=${r.pick(['"', "'"]).replace(/./, (q) => q + s + q)}\n`,
  ),
  '.env with a comment': of(either, (s, r) => `${upperName(r)}=${s} # rotated in May\n`),
  'shell export': of(either, (s, r) => `export ${upperName(r)}='${s}'\n./deploy.sh --fast\n`),
  'shell, one command': of(either, (s, r) => `${upperName(r)}=${s} npm run migrate`),
  YAML: of(either, (s, r) => `service:\n  host: ${r.pick(hosts)}\n  ${anyName(r)}: ${s}\n  retries: 3\n`),
  'YAML list of variables': of(
    either,
    (s, r) => `env:\n  - name: ${upperName(r)}\n    value: ${s}\n  - name: PORT\n    value: "80"\n`,
  ),
  TOML: of(either, (s, r) => `[remote]\nurl = "https://a.test"\n${anyName(r)} = "${s}"\n`),
  INI: of(either, (s, r) => `[client]\nuser = ${r.pick(users)}\n${anyName(r)} = ${s}\n`),
  JSON: of(
    either,
    (s, r) =>
      `{\n  "user": "${r.pick(users)}",\n  "${r.pick([anyName, camelName])(r)}": "${s}",\n  "expires_in": 3600\n}`,
  ),
  'JSON on one line': of(either, (s, r) => JSON.stringify({ token_type: 'Bearer', [anyName(r)]: s, scope: 'read' })),
  'JSON in JSON': of(either, (s, r) => JSON.stringify({ body: JSON.stringify({ id: 7, [anyName(r)]: s }) })),
  XML: of(either, (s, r) => {
    const tag = camelName(r);
    return `<config>\n  <${tag}>${s}</${tag}>\n</config>`;
  }),
  'curl header': of(
    generated,
    (s, r) =>
      `curl -s -H "${r.pick(['X-Api-Key', 'X-Auth-Token', 'PRIVATE-TOKEN', 'Api-Key'])}: ${s}" https://api.acme.io/v2/me`,
  ),
  bearer: of(
    (r) => r.pick([jwt(r), generated(r)]),
    (s, r) => r.pick([`Authorization: Bearer ${s}`, `curl -H 'Authorization: Bearer ${s}' https://a.test`]),
  ),
  'basic header': of(
    (r) => pairOf(r.pick(users), either(r)),
    (s) => `> GET /v1 HTTP/1.1\n> Authorization: Basic ${s}\n`,
  ),
  'curl -u': of(chosen, (s, r) => `curl -u ${r.pick(users)}:${s} https://nexus.acme.io/repository/raw/`),
  'command option': of(
    either,
    (s, r) =>
      `./restore --host ${r.pick(hosts)} --${anyName(r).replaceAll('_', '-')}${r.pick(['=', ' '])}${s} --verbose`,
  ),
  'mysql -p': of(
    (r) => r.chars(alnum, [9, 16]),
    (s, r) => `mysql -h ${r.pick(hosts)} -u ${r.pick(users)} -p${s} shop < dump.sql`,
  ),
  'docker login': of(
    either,
    (s, r) => `docker login ${r.pick(['ghcr.io', 'registry.acme.io'])} -u ${r.pick(users)} -p ${s}`,
  ),
  sshpass: of(chosen, (s, r) => `sshpass -p '${s}' ssh ${r.pick(users)}@10.0.3.17 uptime`),
  'address of a database': of(inAddress, (s, r) => `DATABASE_URL=${address(s, r)}\n`),
  'address in a log': of(inAddress, (s, r) => `2026-03-04T10:11:12Z ERROR cannot connect to ${address(s, r)}: timeout`),
  'git remote': of(
    (r) => r.pick([fill(r, 'gh|p_[alnum:36]'.replace('|', '')), r.chars(alnum, 40)]),
    (s) => `origin\thttps://oauth2:${s}@git.acme.io/team/shop.git (fetch)`,
  ),
  'proxy address': of(inAddress, (s, r) => `https_proxy=http://${r.pick(users)}:${s}@proxy.acme.io:3128`),
  'connection string': of(
    chosen,
    (s, r) => `Server=tcp:${r.pick(hosts)},1433;Database=shop;User ID=${r.pick(users)};Password=${s};Encrypt=True;`,
  ),
  libpq: of(
    (r) => r.chars(alnum, [10, 20]),
    (s, r) => `psql "host=${r.pick(hosts)} user=${r.pick(users)} password=${s} dbname=shop"`,
  ),
  Dockerfile: of(either, (s, r) => `FROM node:20\nENV ${upperName(r)}${r.pick(['=', ' '])}${s}\nRUN npm ci\n`),
  'Kubernetes Secret': of(
    (r) => Buffer.from(either(r)).toString('base64'),
    (s, r) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\ndata:\n  ${anyName(r)}: ${s}\n`,
  ),
  'kubectl create secret': of(
    either,
    (s, r) => `kubectl create secret generic shop --from-literal=${anyName(r)}=${s} -n prod`,
  ),
  'CI variables': of(either, (s, r) => `variables:\n  ${upperName(r)}: "${s}"\n  GIT_DEPTH: "1"\n`),
  '.netrc': of(either, (s, r) => `machine api.acme.io\n  login ${r.pick(users)}\n  password ${s}\n`),
  '.netrc on one line': of(either, (s, r) => `machine api.acme.io login ${r.pick(users)} password ${s}\n`),
  '.pgpass': of(
    (r) => r.chars(alnum, [10, 20]) + r.int(0, 9),
    (s, r) => `${r.pick(hosts)}:5432:shop:${r.pick(users)}:${s}\n`,
  ),
  npmrc: of(
    (r) => r.pick([fill(r, `np${'m_'}[alnum:36]`), uuid(r), r.chars(base64, 43)]),
    (s) => `registry=https://npm.acme.io/\n//npm.acme.io/:_authToken=${s}\nalways-auth=true\n`,
  ),
  'docker config': of(
    (r) => pairOf(r.pick(users), either(r)),
    (s) => `{"auths": {"registry.acme.io": {"auth": "${s}"}}}`,
  ),
  Python: of(
    either,
    (s, r) =>
      `import os\n${r.pick([anyName, upperName])(r)} = ${r.pick(['"', "'"]).replace(/./, (q) => q + s + q)}\nclient = connect()\n`,
  ),
  JavaScript: of(either, (s, r) => `const ${camelName(r)} = '${s}';\nexport default {};\n`),
  'JavaScript object': of(
    either,
    (s, r) => `module.exports = { host: 'a.test', ${camelName(r)}: '${s}', retries: 2 };`,
  ),
  Go: of(either, (s, r) => `cfg := Config{\n\tHost: "a.test",\n\t${capital(camelName(r))}: "${s}",\n}`),
  'Java field': of(either, (s, r) => `private static final String ${upperName(r)} = "${s}";`),
  Terraform: of(
    either,
    (s, r) => `resource "aws_db_instance" "main" {\n  username = "app"\n  ${anyName(r)} = "${s}"\n}`,
  ),
  'log line': of(either, (s, r) => `2026-03-04 10:11:12 DEBUG settings ${anyName(r)}=${s} region=eu-west-1`),
  'log with colours': of(either, (s, r) => `${colored('DEBUG', r)} ${colored(anyName(r), r)}=${colored(s, r)} ok`),
  'query of an address': of(
    (r) => r.chars(alnum, [16, 32]),
    (s, r) =>
      `GET https://api.acme.io/v1/items?page=2&${r.pick(['access_token', 'api_key', 'token', 'client_secret'])}=${s}&limit=10`,
  ),
  'escaped query': of(
    (r) => r.chars(alnum, [16, 32]),
    (s, r) => `redirect=https%3A%2F%2Fa.test%2Fcb%3F${r.pick(['access_token', 'client_secret'])}%3D${s}%26state%3D1`,
  ),
  'HTML entities': of(
    (r) => r.chars(alnum, [12, 24]),
    (s, r) => `&quot;${anyName(r)}&quot;: &quot;${s}&quot;`,
  ),
  'full-width signs': of(chosen, (s, r) => `${r.pick(['密码', 'パスワード', 'password'])}：${s}\n`),
  'no-break space': of(chosen, (s, r) => `${anyName(r)}:\u00a0${s}\n`),
  'session cookie': of(
    (r) => r.chars(alnum, [26, 40]),
    (s, r) => `Cookie: theme=dark; ${r.pick(['sessionid', 'connect.sid', 'PHPSESSID'])}=${s}; lang=en`,
  ),
  "issuer's token": of(issuers, (s, r) =>
    r.pick([`it printed ${s}.`, `deploy with \`${s}\``, `call("${s}")`, `X=${s}\n`, `- ${s}\n`]),
  ),
  'PEM key': of(pemBody, (s, r) => {
    const kind = r.pick(['', 'RSA ', 'EC ', 'OPENSSH ']);
    return `${edge('BEGIN', kind)}\n${s}\n${edge('END', kind)}\n`;
  }),
  'PEM key in JSON': of(pemBody, (s) =>
    JSON.stringify({ type: 'service_account', private_key: `${edge('BEGIN', '')}\n${s}\n${edge('END', '')}\n` }),
  ),
};

const name = (r: Random): string => r.pick([anyName, camelName, upperName])(r);
const variable = (r: Random): string => `${r.pick(nouns)}${capital(r.pick(nouns))}${r.pick(['', '', '2'])}`;
const ulid = (r: Random): string => `01${r.chars('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`;
const lookAlikes: Readonly<Record<string, Part>> = {
  hash: (r) =>
    r.pick([
      `commit ${r.chars(hexDigits, 40)}`,
      `sha256:${r.chars(hexDigits, 64)}`,
      `fixed in ${r.chars(hexDigits, 8)}`,
      `md5 ${r.chars(hexDigits, 32)}`,
    ]),
  integrity: (r) => `"integrity": "sha512-${r.chars(base64, 86)}=="`,
  id: (r) =>
    r.pick([
      `note ${ulid(r)}`,
      `request ${uuid(r)} failed`,
      `id: ${ulid(r)}`,
      `trace_id=${r.chars(hexDigits, 32)}`,
      `"session": "${uuid(r)}"`,
    ]),
  version: (r) =>
    r.pick([
      `node v${r.int(16, 24)}.${r.int(0, 20)}.${r.int(0, 9)}`,
      `postgres:16.${r.int(0, 9)}-alpine3.19`,
      `"vite": "^${r.int(4, 7)}.2.1"`,
    ]),
  path: (r) =>
    r.pick([
      `/srv/${r.pick(nouns)}/a${r.int(1, 9)}/secrets.yaml`,
      `src/auth/password-reset${r.int(1, 9)}.ts`,
      `C:\\Users\\anna\\keys\\id_${r.int(1, 9)}`,
    ]),
  'file of a secret': (r) =>
    r.pick([
      `${upperName(r)}_FILE=/run/secrets/${r.pick(nouns)}2`,
      `password_file: etc/pw${r.int(1, 9)}.txt`,
      `token: /var/run/secrets/token`,
    ]),
  placeholder: (r) =>
    `${upperName(r)}=${r.pick(['your-api-key-here', '<your token>', 'changeme', 'xxxxxxxx', 'REPLACE_ME', 'example-secret', '********', '...', 'your_password_123', '<redacted>'])}`,
  'placeholder in JSON': (r) =>
    `"${anyName(r)}": "${r.pick(['YOUR_API_KEY', 'changeme', '<token>', '***', 'xxx', '', 'string', 'placeholder', 'your-secret-here'])}"`,
  variable: (r) =>
    r.pick([
      `${name(r)}=\${${upperName(r)}}`,
      `${name(r)}=$${upperName(r)}`,
      `password: {{ .Values.db.password }}`,
      `${name(r)}: \${{ secrets.${upperName(r)} }}`,
      `set X=%${upperName(r)}%`,
    ]),
  'reference in code': (r) =>
    r.pick([
      `const ${camelName(r)} = process.env.${upperName(r)};`,
      `${anyName(r)} = os.environ["${upperName(r)}"]`,
      `${anyName(r)}=settings.${anyName(r)}, timeout=3`,
      `${camelName(r)}: config.${camelName(r)},`,
    ]),
  call: (r) =>
    r.pick([
      `const ${camelName(r)} = await read${capital(camelName(r))}(path);`,
      `${anyName(r)} = get_secret("shop/db")`,
      `${camelName(r)} := os.Getenv("${upperName(r)}")`,
      `${upperName(r)}=$(pass show shop/db2)`,
      `if (!verify(${camelName(r)}, hash)) return 401;`,
    ]),
  'variable in code': (r) =>
    r.pick([
      `${camelName(r)} = ${variable(r)};`,
      `connect(${anyName(r)}=${variable(r)})`,
      `this.${camelName(r)} = ${variable(r)}`,
      `{ ${camelName(r)}: ${variable(r)} }`,
    ]),
  type: (r) =>
    r.pick([
      `${camelName(r)}: string;`,
      `${anyName(r)}: Optional[str] = None`,
      `${capital(camelName(r))} string \`json:"${anyName(r)}"\``,
      `${anyName(r)}: z.string().min(8),`,
      `${anyName(r)} VARCHAR(255) NOT NULL`,
    ]),
  setting: (r) =>
    r.pick([
      `max_tokens: ${r.int(256, 8192)}`,
      `token_ttl=${r.int(5, 90)}m`,
      `password_min_length = ${r.int(8, 16)}`,
      `tokens: ${r.int(1000, 99999)}`,
      `access_token_expires_in: ${r.int(60, 7200)}`,
      `"tokenType": "Bearer"`,
    ]),
  'words beside a name': (r) =>
    `"${anyName(r)}": "${r.pick(['required', 'invalid', 'Enter your password', 'must not be empty', 'refresh', 'the token has expired', 'null', 'hidden'])}"`,
  'name of a secret': (r) =>
    r.pick([
      `secretName: ${r.pick(nouns)}-db-${r.int(1, 9)}`,
      `secretKeyRef: { name: ${r.pick(nouns)}, key: password }`,
      `token: \${{ secrets.NPM_TOKEN }}`,
      `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${r.pick(nouns)}-Ab1dEf`,
    ]),
  vault: (r) =>
    `${name(r)}: ${r.pick(['vault:kv/shop#pw', 'op://team/shop/password', 'ssm:/shop/db2', 'ref+vault://kv/shop#token', 'file:/run/pw2'])}`,
  prose: (r) =>
    r.pick([
      `The ${r.pick(['token', 'password', 'API key'])} expires after ${r.int(2, 90)} days, so rotate it in ${r.pick(nouns)}.`,
      'We hash every password with argon2id before it reaches the table.',
      `Issue #${r.int(10, 999)}: the secret is read twice at start-up.`,
      'The key to a fast test is a small fixture.',
      'Ask Ana for the password; it is in 1Password under Shop-DB2.',
      'Use the access token of the bot (see docs/auth.md) and never your own.',
      `Pass --token only in CI; locally, \`login\` stores it for ${r.int(1, 9)}h.`,
      'Password reset emails go out through queue2.',
      'auth: OAuth2 with PKCE, session in Redis7, token rotation on.',
    ]),
  address: (r) =>
    r.pick([
      `http://${r.pick(hosts)}:${r.int(3000, 9000)}/health`,
      `git@github.com:acme/shop${r.int(1, 9)}.git`,
      `ssh://git@git.acme.io:2222/team/shop.git`,
      `postgres://${r.pick(hosts)}:5432/app`,
      `see https://a.test/docs:intro/mail@acme.io`,
      `https://a.test:8080/x?to=ana@acme.io`,
      `docker://reg.acme.io/app:1.2@sha256:${r.chars(hexDigits, 64)}`,
    ]),
  'address with a reference': (r) =>
    `${scheme(r)}://${r.pick(['app', '$USER'])}:${r.pick(['$DB_PASSWORD', `\${PW}`, '<password>', '{password}', '%s', 'password', '***'])}@${r.pick(hosts)}/app`,
  command: (r) =>
    r.pick([
      `ssh -p ${r.int(1000, 9999)} deploy@10.0.3.17`,
      `docker run -p 5432:5432 postgres:16`,
      `curl -u "$USER:$PASSWORD" https://a.test`,
      `mysql -u root -p shop`,
      'mkdir -p src/a1/b2',
      `docker login -u ci --password-stdin`,
    ]),
  key: (r) =>
    r.pick([
      `cache key: user:${r.int(1, 9999)}:v2`,
      `key={item.id2}`,
      `"key": "${r.pick(nouns)}-${r.int(1, 99)}"`,
      `primary_key: order_id2`,
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.chars(base64, 43)} ana@laptop`,
      `keys: [KeyA, KeyB${r.int(1, 9)}]`,
    ]),
};

export const placeCount = Object.keys(places).length;

const seededTurns = <Made>(seed: number, count: number, table: Readonly<Record<string, Made>>) => {
  const random = seeded(seed);
  const entries = Object.entries(table);
  return Array.from({ length: count }, (_, i) => ({ random, entry: entries[i % entries.length] as [string, Made] }));
};

/** Each place comes up equally often. */
export const makePlacedSecrets = (seed: number, count: number): readonly PlacedSecret[] =>
  seededTurns(seed, count, places).map(({ random, entry: [place, [secret, text]] }) => {
    const hidden = secret(random);
    return { place, text: text(hidden, random), hidden };
  });

export const makeUnsecret = (seed: number, count: number): readonly LookAlike[] =>
  seededTurns(seed, count, lookAlikes).map(({ random, entry: [kind, text] }) => ({ kind, text: text(random) }));

const shownLength = 8;
/** Whether the text still shows eight characters of the secret in a row; line ends may be escaped. */
export const isShownIn = (text: string, { hidden }: PlacedSecret): boolean => {
  const pieces = hidden.length < shownLength ? [hidden] : hidden.split('\n');
  return pieces.some((piece) => {
    for (let at = 0; at + Math.min(shownLength, piece.length) <= piece.length; at++)
      if (text.includes(piece.slice(at, at + shownLength))) return true;
    return false;
  });
};
