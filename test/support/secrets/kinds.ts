/** Made-up secrets in real alphabets and lengths. Prefixes are split in two, so that no scanner finds a leak here. */
import { alnum, base64, digits, hexDigits, lower, type Random, upper, urlSafe, uuid } from './random.js';

export type Kind = {
  readonly name: string;
  /** Which row of the table in docs/security.md counts it. */
  readonly group: string;
  /** The names that identify a value whose shape says nothing; undefined if the shape is enough. */
  readonly names?: readonly string[];
  make(random: Random): string;
};

/** `hf_[letters:34]`: each part in brackets is an alphabet and a length, or a shortest and a longest length. */
const alphabets: Readonly<Record<string, string>> = {
  letters: lower + upper,
  lower,
  upper,
  digits,
  hex: hexDigits,
  alnum,
  url: urlSafe,
  base64,
  base36: digits + lower,
  base36up: digits + upper,
  base32: `${lower}234567`,
  base32up: `${upper}234567`,
  base58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};
export const fill = (random: Random, template: string): string =>
  template.replace(/\[(\w+):(\d+)(?:-(\d+))?\]/g, (_, name: string, least: string, most?: string) =>
    random.chars(alphabets[name] ?? '', most === undefined ? Number(least) : [Number(least), Number(most)]),
  );

const shaped = (group: string, kinds: Readonly<Record<string, string>>): readonly Kind[] =>
  Object.entries(kinds).map(([name, template]) => ({
    name,
    group,
    make: (random) => fill(random, template.replaceAll('|', '')),
  }));
const keyed = (name: string, template: string, names: readonly string[]): Kind => ({
  name,
  group: 'no shape, beside its name',
  names,
  make: (random) => (template === 'uuid' ? uuid(random) : fill(random, template)),
});

const segment = (random: Random, value: object): string =>
  Buffer.from(JSON.stringify({ ...value, jti: random.chars(hexDigits, 12) })).toString('base64url');
/** Stands for the checksum of six characters at the end, which has the same alphabet as the rest. */
const crc = (random: Random): string => random.chars(alnum, 6);

// A `|` divides a prefix in two; it is not part of the secret.
export const shapedKinds: readonly Kind[] = [
  ...shaped('cloud', {
    'AWS access key id': 'AK|IA[base32up:16]',
    'AWS session key id': 'AS|IA[base32up:16]',
    'AWS Bedrock key': 'AB|SK[base64:110-130]',
    'Google API key': 'AI|za[url:35]',
    'Google OAuth secret': 'GOC|SPX-[url:28]',
    'Google access token': 'ya|29.[url:60-120]',
    'Azure AD client secret': '[alnum:3]|8Q~[url:34]',
    'Azure storage key': '[base64:76]+AS|t[base64:6]==',
    'Azure DevOps token': '[alnum:52]JQQJ99[alnum:10]AAAAAAAAAAAAAZ|DO[alnum:4]',
    'DigitalOcean token': 'dop|_v1_[hex:64]',
    'Cloudflare origin key': 'v1|.0-[hex:24]-[hex:146]',
    'Databricks token': 'da|pi[hex:32]',
    'Alibaba access key id': 'LT|AI[alnum:20]',
    'Fly token': 'fo1|_[url:43]',
    'Heroku key': 'HR|KU-AA[url:58]',
    'HashiCorp Vault token': 'hv|s.[url:90-110]',
    'Terraform token': '[alnum:14].atlas|v1.[url:64]',
    'Doppler token': 'dp|.pt.[alnum:43]',
    'Pulumi token': 'pu|l-[hex:40]',
    'PlanetScale token': 'pscale|_tkn_[url:43]',
    'Supabase token': 'sb|p_[hex:40]',
    'Amazon MWS token': 'amzn|.mws.[hex:8]-[hex:4]-[hex:4]-[hex:4]-[hex:12]',
    'Gemini key': 'AQ|.Ab8[url:47]',
    'Firebase server key': 'AA|AA[url:7]:APA|91b[url:134]',
    'Deno Deploy token': 'dd|p_[alnum:36]',
  }),
  ...shaped('code hosts and registries', {
    'GitHub token': 'gh|p_[alnum:36]',
    'GitHub fine-grained token': 'github|_pat_[alnum:22]_[alnum:59]',
    'GitLab token': 'gl|pat-[url:20]',
    'npm token': 'np|m_[alnum:36]',
    'PyPI token': 'py|pi-AgEIcHlwaS5vcmc[url:130-160]',
    'RubyGems key': 'ruby|gems_[hex:48]',
    'Docker Hub token': 'dck|r_pat_[url:27]',
    'Artifactory key': 'AK|Cp[alnum:69]',
    'NuGet key': 'oy|2[base36:43]',
    'Clojars token': 'CLO|JARS_[hex:60]',
    'Sourcegraph token': 'sg|p_[hex:40]',
    'Sonar token': 'sq|u_[hex:40]',
    'Atlassian token': 'AT|ATT3[url:180]',
    'Postman key': 'PM|AK-[hex:24]-[hex:34]',
    'crates.io token': 'ci|o[alnum:32]',
    'JSR token': 'js|rt_[alnum:36]',
    'Snyk token': 'snyk|_uat.[alnum:8].[url:60]',
  }),
  ...shaped('AI', {
    'Anthropic key': 'sk-|ant-api03-[url:93]AA',
    'OpenAI project key': 'sk-|proj-[url:74]T3BlbkFJ[url:74]',
    'OpenAI key': 'sk-|[alnum:20]T3BlbkFJ[alnum:20]',
    'Hugging Face token': 'h|f_[letters:34]',
    'Replicate token': 'r|8_[alnum:37]',
    'Groq key': 'gs|k_[alnum:52]',
    'Perplexity key': 'pp|lx-[alnum:48]',
    'xAI key': 'xa|i-[alnum:80]',
    'OpenRouter key': 'sk-|or-v1-[hex:64]',
    'Pinecone key': 'pc|sk_[alnum:6]_[alnum:63]',
    'Tavily key': 'tv|ly-dev-[alnum:32]',
    'Apify token': 'apify|_api_[alnum:36]',
    'Weights & Biases key': 'wandb|_v1_[url:70]',
    'Kaggle token': 'KG|AT_[hex:32]',
  }),
  ...shaped('messages and mail', {
    'Slack bot token': 'xo|xb-[digits:12]-[digits:12]-[alnum:24]',
    'Slack app token': 'xa|pp-1-A[base36up:10]-[digits:13]-[hex:64]',
    'SendGrid key': 'S|G.[url:22].[url:43]',
    'Twilio key': 'S|K[hex:32]',
    'Telegram bot token': '[digits:10]:AA[url:33]',
    'Mailgun key': 'ke|y-[hex:32]',
    'Mailchimp key': '[hex:32]-|us14',
    'Brevo key': 'xkey|sib-[hex:64]-[alnum:16]',
    'Resend key': 're|_[alnum:8]_[alnum:24]',
    'current Mailgun key': '[hex:32]-[hex:8]|-[hex:8]',
    'VK token': 'vk|1.a.[url:200]',
  }),
  ...shaped('payments and products', {
    'Stripe secret key': 'sk|_live_[alnum:24-99]',
    'Stripe webhook secret': 'wh|sec_[alnum:32]',
    'Shopify token': 'sh|pat_[hex:32]',
    'Square token': 'EA|AA[url:60]',
    'Linear key': 'lin|_api_[alnum:40]',
    'Figma token': 'fi|gd_[url:40]',
    'Notion token': 'nt|n_[digits:11][alnum:35]',
    'Airtable token': 'pa|t[alnum:14].[hex:64]',
    'Grafana token': 'gl|sa_[alnum:32]_[hex:8]',
    'New Relic key': 'NR|AK-[base36up:27]',
    'Sentry token': 'sn|tryu_[hex:64]',
    'Dynatrace token': 'dt|0c01.[base32up:24].[base32up:64]',
    'Facebook token': 'EA|ACEdEose0cBA[alnum:120]',
    'Plaid token': 'access|-sandbox-[hex:8]-[hex:4]-[hex:4]-[hex:4]-[hex:12]',
    'Tailscale key': 'ts|key-auth-[alnum:12]CNTRL-[alnum:32]',
    '1Password token': 'op|s_eyJ[alnum:260]',
    'age key': 'AGE|-SECRET-KEY-1[bech32:58]',
    'Braintree token': 'access|_token$production$[base36:16]$[hex:32]',
    'Paddle key': 'pdl|_live_apikey_01[base36:24]_[alnum:22]_[alnum:3]',
    'Polar token': 'polar|_oat_[alnum:43]',
    'Trello token': 'AT|TA[hex:72]',
    'Contentful token': 'CF|PAT-[url:43]',
    'Dropbox token': 'sl|.u.[url:140]',
    'Mapbox secret token': 'sk.|eyJ[alnum:60].[url:22]',
    'old Grafana key': 'ey|JrIjoi[alnum:80]==',
  }),
  {
    name: 'Discord bot token',
    group: 'messages and mail',
    make: (random) =>
      `${Buffer.from(`1${random.chars(digits, 17)}`).toString('base64url')}.${fill(random, '[url:6].[url:38]')}`,
  },
  {
    name: 'GitHub app token',
    group: 'code hosts and registries',
    make: (random) => `gh${'s_'}${random.chars(alnum, 30)}${crc(random)}`,
  },
  {
    name: 'JSON Web Token',
    group: 'no shape, beside its name',
    make: (random) =>
      `${segment(random, { alg: 'HS256', typ: 'JWT' })}.${segment(random, { sub: random.int(1, 9999), iat: 1 })}.${random.chars(urlSafe, 43)}`,
  },
];

export const keyedKinds: readonly Kind[] = [
  keyed('AWS secret key', '[base64:40]', ['AWS_SECRET_ACCESS_KEY', 'aws_secret_access_key', 'SecretAccessKey']),
  keyed('hex token of 40', '[hex:40]', ['GH_TOKEN', 'api_token', 'token', 'authToken']),
  keyed('hex key of 32', '[hex:32]', ['DD_API_KEY', 'apiKey', 'api_key', 'ALGOLIA_ADMIN_KEY']),
  keyed('hex secret of 64', '[hex:64]', ['SIGNING_SECRET', 'client_secret', 'secretKey', 'JWT_SECRET']),
  keyed('base64 key of 44', '[base64:43]=', ['ENCRYPTION_KEY', 'SharedAccessKey', 'private_key', 'master_key']),
  keyed('client secret', '[url:32]', ['clientSecret', 'OAUTH_CLIENT_SECRET', 'client-secret']),
  keyed('npm UUID token', 'uuid', ['_authToken', 'NPM_TOKEN', 'auth_token']),
  keyed('Heroku UUID key', 'uuid', ['HEROKU_API_KEY', 'heroku_api_key']),
  keyed('session token', '[base64:200-300]', ['AWS_SESSION_TOKEN', 'aws_session_token', 'sessionToken']),
  keyed('Twilio auth token', '[hex:32]', ['TWILIO_AUTH_TOKEN', 'auth_token', 'authToken']),
  keyed('Azure key', '[hex:32]', ['AZURE_OPENAI_API_KEY', 'Ocp-Apim-Subscription-Key', 'subscriptionKey']),
  keyed('base62 token', '[alnum:24-48]', ['CI_DEPLOY_TOKEN', 'access_token', 'refreshToken', 'webhook_secret']),
];
