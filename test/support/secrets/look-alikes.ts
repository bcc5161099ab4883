/** Texts that look like secrets but are not: masking one of them is a false alarm. */

import { fill } from './kinds.js';
import { alnum, base64, digits, hexDigits, lower, type Random, seeded, upper, uuid } from './random.js';

type Maker = (random: Random) => string;

const word = (random: Random): string =>
  random.pick(['order', 'billing', 'parser', 'deploy', 'cache', 'report', 'queue', 'search', 'index', 'mail']);
const snake = (random: Random): string =>
  `${word(random).toUpperCase()}_${random.pick(['TOKEN', 'SECRET', 'API_KEY', 'PASSWORD'])}`;
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const sha = (random: Random): string => random.chars(hexDigits, 40);

export const lookAlikeKinds: Readonly<Record<string, Maker>> = {
  'publishable keys': (r) =>
    r.pick([
      `Stripe publishable key: pk_live_${r.chars(alnum, 24)}`,
      `const stripe = loadStripe("pk_test_${r.chars(alnum, 24)}");`,
      `NEXT_PUBLIC_STRIPE_KEY=pk_live_${r.chars(alnum, 99)}`,
      `STRIPE_PUBLISHABLE_KEY=pk_test_${r.chars(alnum, 24)}`,
      `api_key: pk_test_${r.chars(alnum, 24)}`,
    ]),
  'documented examples': (r) =>
    r.pick([
      'aws_access_key_id = AKIAIOSFODNN7EXAMPLE',
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'AKIAI44QH8DHBEXAMPLE / je7MtGbClwBF/2Zp9Utk/h3yCo8nvbEXAMPLEKEY',
      `Stripe's docs use sk_test_${'4eC39HqLyjWDarjtT1zdp7dc'}`,
      'the jwt.io token: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
      'Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
      'Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ=',
      'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
      'token 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
      'AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
      `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`,
      'Bearer mF_9.B5f-4.1JqM',
    ]),
  'throw-away passwords': (r) =>
    r.pick([
      'mysql://root:root@localhost:3306/app',
      'postgres://postgres:postgres@localhost/test',
      'redis://default:password@127.0.0.1:6379',
      'amqp://guest:guest@localhost:5672',
      'mongodb://admin:admin@mongo:27017',
      'POSTGRES_PASSWORD=postgres',
      'MYSQL_ROOT_PASSWORD: root',
      'mysql -u root -proot app',
      'docker login -u user -p password registry.test',
      'curl -u admin:admin http://localhost:8080',
      'postgresql://user:pass@host:5432/db',
      'curl -u user:password https://api.test',
      'password: changeme',
    ]),
  placeholders: (r) =>
    r.pick([
      `export ${snake(r)}=<your-token>`,
      `${snake(r)}=your_api_key_here`,
      `${snake(r)}=xxxxxxxxxxxxxxxxxxxxxxxx`,
      `token: "${'*'.repeat(r.int(4, 20))}"`,
      `api_key = "YOUR_API_KEY"`,
      `ghp_${'x'.repeat(36)}`,
      `Authorization: Bearer <token>`,
      `password = "..."`,
      `curl -u "$USER:$PASS" https://api.test`,
      `mysql -u root -p$MYSQL_PWD`,
      `mysql -u root -p app`,
      `sshpass -p "$PW" ssh host`,
      'docker login -u "$U" -p "$P"',
      `hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`,
      'sk-ant-api03-your-key-goes-here',
      'postgres://user:<password>@host/db',
    ]),
  'contract addresses': (r) =>
    r.pick([
      `USDT token: 0x${r.chars(`${hexDigits}ABCDEF`, 40)}`,
      `The token contract is 0x${r.chars(hexDigits, 40)}`,
      `token = "0x${r.chars(hexDigits, 40)}"`,
      `const TOKEN = '0x${r.chars(`${hexDigits}ABCDEF`, 40)}';`,
      `| token | 0x${r.chars(hexDigits, 40)} |`,
      `tx 0x${r.chars(hexDigits, 64)} moved the token`,
      `tokenAddress: 0x${r.chars(hexDigits, 40)}`,
    ]),
  'git hashes': (r) =>
    r.pick([
      `commit ${sha(r)}`,
      `fixed in ${sha(r).slice(0, 10)}, the token parser`,
      `The token check came with commit ${sha(r)}.`,
      `git checkout ${sha(r)}`,
      `- uses: actions/checkout@${sha(r)}`,
      `index ${sha(r).slice(0, 7)}..${sha(r).slice(0, 7)} 100644`,
      `password reset: see ${sha(r)}`,
      `HEAD is now at ${sha(r).slice(0, 12)} rotate secret`,
    ]),
  'UUIDs and ids': (r) =>
    r.pick([
      `session: ${uuid(r)}`,
      `request id ${uuid(r)}`,
      `{"id": "${uuid(r)}", "name": "x"}`,
      `tenant_id=${uuid(r)}`,
      `client_id: ${uuid(r)}`,
      `session id ${uuid(r)} was captured`,
      `token id: ${uuid(r)}`,
      `sessionId: "${uuid(r)}"`,
      `note 01J${r.chars(crockford, 23)}`,
      `https://app.test/users/${uuid(r)}?tab=1`,
      `AWS account ${r.chars(digits, 12)}, key id ${r.chars(digits, 8)}`,
      `mongo _id ObjectId("${r.chars(hexDigits, 24)}")`,
      `key: ${uuid(r)}`,
    ]),
  'digests and locks': (r) =>
    r.pick([
      `"integrity": "sha512-${r.chars(base64, 86)}=="`,
      `  integrity sha512-${r.chars(base64, 86)}==`,
      `<script src="a.js" integrity="sha384-${r.chars(base64, 64)}"></script>`,
      `sha256:${r.chars(hexDigits, 64)}`,
      `image: registry.test/app@sha256:${r.chars(hexDigits, 64)}`,
      `md5sum ${r.chars(hexDigits, 32)}  secret.txt`,
      `${r.chars(hexDigits, 64)}  token.tar.gz`,
      `github.com/x/token v1.2.3 h1:${r.chars(base64, 43)}=`,
      `checksum = "${r.chars(hexDigits, 64)}"`,
      `resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#${sha(r)}"`,
      `ETag: "${r.chars(hexDigits, 32)}"`,
      `cache key ${r.chars(hexDigits, 32)} was missed`,
      `sha1 of the secret file: ${sha(r)}`,
      `hash: ${r.chars(hexDigits, 64)}`,
    ]),
  'names of secrets': (r) =>
    r.pick([
      `SECRET_NAME=${word(r)}-db-creds-7f9k2`,
      `secretName: ${word(r)}-tls-x7k9q`,
      `secretKeyRef:\n  name: ${word(r)}-creds\n  key: password2`,
      `the token is read from ${snake(r)}`,
      `token: ${snake(r)}`,
      `password: ${snake(r)}_2`,
      `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${word(r)}-Ab1dEf`,
      `secret: projects/app-123/secrets/${word(r)}-pass/versions/7`,
      `password: op://vault/${word(r)}/password`,
      `password: vault:secret/data/${word(r)}1#password`,
      `key vault: https://kv-${word(r)}.vault.azure.net/secrets/db-pass/${r.chars(hexDigits, 32)}`,
      `The secret is called ${word(r)}-api-token-v2.`,
      `kubectl get secret ${word(r)}-token-x7k2p -o yaml`,
    ]),
  'reads of the environment': (r) =>
    r.pick([
      `token: process.env.${snake(r)}`,
      `password = os.environ["${snake(r)}"]`,
      `api_key=os.getenv("${snake(r)}")`,
      `secret := os.Getenv("${snake(r)}")`,
      `password: \${${snake(r)}:-}`,
      `token: \${{ secrets.${snake(r)} }}`,
      `PASSWORD={{ lookup('env', '${snake(r)}') }}`,
      `env: { NPM_TOKEN: $${snake(r)} }`,
      `curl -H "Authorization: Bearer $${snake(r)}" https://api.test`,
      `String password = System.getenv("${snake(r)}");`,
      `password: ENV.fetch("${snake(r)}")`,
    ]),
  'code calls': (r) =>
    r.pick([
      'const token = await getToken(user.id, { refresh: true });',
      'password = getpass.getpass("Password: ")',
      'if (password !== confirmPassword2) throw new Error("no");',
      'token = tokens[i2]',
      'const { token, secret } = useAuth2();',
      'def login(user, password=None, token2=None):',
      'secret: z.string().min(32)',
      'this.token = response.data.access_token;',
      'password: hashPassword(input.password)',
      'return jwt.sign(payload, secretKey)',
      'cookie: session.cookie.sid',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code as a note quotes it
      'headers: { Authorization: `Bearer ${token}` }',
      'auth=(user, password)',
      'signature = hmac.new(key, msg, sha256).hexdigest()',
      'password: string; token?: string; apiKey: SecretStr',
      'fn token(&self) -> Token2 { self.token }',
    ]),
  images: (r) =>
    r.pick([
      `![logo](data:image/png;base64,iVBORw0KGgo${r.chars(base64, r.int(200, 900))}=)`,
      `background: url(data:image/svg+xml;base64,PHN2Zy${r.chars(base64, 120)})`,
      `src="data:font/woff2;base64,d09GMg${r.chars(base64, 300)}"`,
    ]),
  'public keys and certificates': (r) =>
    r.pick([
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.chars(base64, 43)} me@test`,
      `ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB${r.chars(base64, 300)}== me@test`,
      `-----BEGIN CERTIFICATE-----\nMIID${r.chars(base64, 60)}\n${r.chars(base64, 64)}\n-----END CERTIFICATE-----`,
      `-----BEGIN PUBLIC KEY-----\nMIIB${r.chars(base64, 60)}\n-----END PUBLIC KEY-----`,
      `SHA256:${r.chars(base64, 43)} me@test (ED25519)`,
      `age1${r.chars(digits + lower, 58)}`,
      `public_key: ${r.chars(base64, 43)}=`,
    ]),
  'styles and minified code': (r) =>
    r.pick([
      '.token.comment{color:#6a9955}.token.string{color:#ce9178}.a1b2c3{margin:0 4px}',
      '--token-color-primary: #1f2a3b4c; --token-space-4: 1.25rem;',
      'token: "color.brand.500"',
      'e.exports=function(t){var n=t.token||r(1024);return n.a2?n:o(n,3)}',
      `.css-${r.chars(digits + lower, 7)}{padding:0}`,
    ]),
  tracing: (r) =>
    r.pick([
      `traceparent: 00-${r.chars(hexDigits, 32)}-${r.chars(hexDigits, 16)}-01`,
      `trace_id=${r.chars(hexDigits, 32)} span_id=${r.chars(hexDigits, 16)}`,
      `X-Request-Id: ${uuid(r)}`,
      `x-amz-request-id: ${r.chars(digits + upper, 16)}`,
      `cf-ray: ${r.chars(hexDigits, 16)}-FRA`,
      `Root=1-${r.chars(hexDigits, 8)}-${r.chars(hexDigits, 24)}`,
    ]),
  prose: (r) =>
    r.pick([
      'The password is required and must have at least 12 characters.',
      'The token is valid for 3600s; tokens expire after 24h.',
      'password is incorrect, password was reset, password is null',
      'The secret to good tests is isolation.',
      'A token of type identifier2 is read by the lexer.',
      'Pass -p 8080:80 to publish the port.',
      'use docker run -p 5432:5432 -e POSTGRES_DB=app2 postgres:16',
      'ssh -p 2222 deploy@host.test and mkdir -p src/a1/b2',
      'The session cookie is HttpOnly, SameSite=Lax and expires in 30d.',
      'max_tokens=4096, context window: 200000 tokens',
      'The API key is stored in 1Password; the key lives in Vault2.',
      'Basic auth with user and password over TLS1.3',
      'pytest -p no:cacheprovider -u v2alpha1',
      'password policy: 8-64 chars, PBKDF2-SHA256, bcrypt cost 12',
      'nextPageToken: "CDIQAA1b2C3d4"',
      'rsync -a src2/ host:/srv/app && tar -x -p -f a1.tar',
      'the token limit is 128k, the password field is #pw-1',
      'Credentials are in ~/.aws/credentials, profile prod2.',
      'The key is to retry 3x with jitter.',
      'curl -u is for user names; -H "X-Api-Key" is for keys',
      fill(r, 'Set cookie max-age=3600; path=/; the csrf check compares two values'),
    ]),
};

/** Makes texts of each kind equally often. */
export const makeLookAlikes = (
  seed: number,
  count: number,
): readonly { readonly kind: string; readonly text: string }[] => {
  const random = seeded(seed);
  const kinds = Object.entries(lookAlikeKinds);
  return Array.from({ length: count }, (_, i) => {
    const [kind, make] = kinds[i % kinds.length] as (typeof kinds)[number];
    return { kind, text: make(random) };
  });
};
