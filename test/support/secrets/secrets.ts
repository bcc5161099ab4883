/** Texts with one made-up secret each, of all kinds in all places, from a seed. */
import { fill, type Kind, keyedKinds, shapedKinds } from './kinds.js';
import { pemText } from './pem.js';
import * as places from './places.js';
import { alnum, base64, digits, hexDigits, lower, password, type Random, seeded, urlSafe } from './random.js';

export type MadeSecret = {
  readonly kind: string;
  readonly group: string;
  readonly text: string;
  /** Texts that must not be readable after masking. */
  readonly hidden: readonly string[];
};

type Maker = {
  readonly kind: string;
  readonly group: string;
  make(random: Random): Omit<MadeSecret, 'kind' | 'group'>;
};

const put = (place: string, parts: Readonly<Record<string, string>>): string =>
  place.replace(
    /(?<![A-Za-z])[VNUI](?![A-Za-z])|(?<=-p"?|%3A|pass:|%)V(?![A-Za-z])/g,
    (letter) => parts[letter] ?? letter,
  );

const inPlaces = (
  kind: string,
  group: string,
  where: readonly string[],
  value: (random: Random) => string,
  names: readonly string[] = [''],
): Maker => ({
  kind,
  group,
  make: (random) => {
    const secret = value(random);
    const place = random.pick(where);
    const parts = { V: secret, N: random.pick(names), U: places.userName(random), I: places.awsId(random) };
    return { text: put(place, parts), hidden: [secret] };
  },
});

const ofKind = ({ name, group, names, make }: Kind): Maker =>
  names === undefined
    ? inPlaces(name, group, places.shapePlaces, make)
    : inPlaces(name, group, places.namePlaces, make, names);

const encodedPair = (random: Random): string =>
  Buffer.from(`${places.userName(random)}:${password(random)}`).toString('base64');

/** A password that can be written in a URL. */
const urlPassword = (random: Random): string => random.chars(alnum, [8, 20]) + random.int(0, 9);
const shellPassword = (random: Random): string => password(random).replace(/[$!#*~]/g, '-');

const dockerAuth: Maker = {
  kind: 'docker auth',
  group: 'fixed place',
  make: (random) => {
    const auth = encodedPair(random);
    const text = random.pick([
      `{"auths": {"https://index.docker.io/v1/": {"auth": "${auth}"}}}`,
      `{\n\t"auths": {\n\t\t"ghcr.io": {\n\t\t\t"auth": "${auth}"\n\t\t}\n\t}\n}`,
      `"registry.test": { "auth": "${auth}" }`,
      `auth: ${auth}`,
      `_auth=${auth}`,
      `//registry.test/:_auth="${auth}"`,
      `{\\"auths\\":{\\"ghcr.io\\":{\\"auth\\":\\"${auth}\\"}}}`,
      `Authorization: Basic ${auth}`,
    ]);
    return { text, hidden: [auth] };
  },
};

const kubernetesSecret: Maker = {
  kind: 'Kubernetes secret',
  group: 'fixed place',
  make: (random) => {
    const plain = random.pick([password(random), random.chars(hexDigits, 32), random.chars(alnum, [12, 40])]);
    const value = Buffer.from(plain).toString('base64');
    const key = random.pick(['password', 'token', 'db-url', 'config.json', 'key', 'PG_MAIN', 'value']);
    const text = random.pick([
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ntype: Opaque\ndata:\n  ${key}: ${value}\n`,
      `apiVersion: v1\ndata:\n  user: YXBw\n  ${key}: ${value}\nkind: Secret\nmetadata:\n  name: app\n`,
      `kind: Secret\nmetadata:\n  name: app\n  labels:\n    a: b\ndata:\n  ${key}: "${value}"\n---\nkind: Pod\n`,
      `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"app"},"data":{"${key}":"${value}"}}`,
      `{\n  "apiVersion": "v1",\n  "data": {\n    "${key}": "${value}"\n  },\n  "kind": "Secret"\n}`,
      `\`\`\`yaml\n    apiVersion: v1\n    kind: Secret\n    data:\n      ${key}: ${value}\n\`\`\``,
      `+apiVersion: v1\n+kind: Secret\n+data:\n+  ${key}: ${value}\n`,
      `kind: Secret\nstringData:\n  ${key}: ${plain}\n`,
    ]);
    return { text, hidden: text.includes(value) ? [value] : [plain] };
  },
};

const discordHook: Maker = {
  kind: 'Discord webhook',
  group: 'webhooks and signed links',
  make: (random) => {
    const token = random.chars(urlSafe, 68);
    const host = random.pick(['discord.com/api', 'discordapp.com/api', 'canary.discord.com/api/v10']);
    const url = `https://${host}/webhooks/${random.chars(digits, 19)}/${token}`;
    return { text: put(random.pick(places.shapePlaces), { V: url }), hidden: [token] };
  },
};
const slackHook: Maker = {
  kind: 'Slack webhook',
  group: 'webhooks and signed links',
  make: (random) => {
    const path = fill(random, 'T[base36up:9]/B[base36up:10]/[alnum:24]');
    return {
      text: put(random.pick(places.shapePlaces), { V: `https://hooks.slack.com/services/${path}` }),
      hidden: [path],
    };
  },
};
const sas: Maker = {
  kind: 'Azure SAS signature',
  group: 'webhooks and signed links',
  make: (random) => {
    const plain = `${random.chars(base64, 43)}=`;
    const signature = random.pick([encodeURIComponent(plain), encodeURIComponent(plain), plain]);
    return { text: places.sasUrl(random, signature), hidden: [signature] };
  },
};
const presigned: Maker = {
  kind: 'presigned link',
  group: 'webhooks and signed links',
  make: (random) => {
    const signature = random.chars(hexDigits, 64);
    const text = random.pick([
      `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=600&X-Amz-Signature=${signature}`,
      `wget "https://storage.googleapis.com/b/o?X-Goog-Algorithm=A&X-Goog-Signature=${signature}&x=1"`,
      `<a href="https://b.s3.test/k?X-Amz-Expires=6&amp;X-Amz-Signature=${signature}">file</a>`,
    ]);
    return { text, hidden: [signature] };
  },
};

const pem: Maker = {
  kind: 'private key',
  group: 'private keys',
  make: (random) => pemText(random, { cut: false }),
};
const cutPem: Maker = {
  kind: 'cut private key',
  group: 'private keys',
  make: (random) => pemText(random, { cut: true }),
};

const sessionValue = (random: Random): string =>
  random.pick([
    random.chars(lower + digits, 32),
    random.chars(hexDigits, 40),
    random.chars(urlSafe, [24, 48]),
    random.chars(alnum, 26),
  ]);
const headerValue = (random: Random): string =>
  random.pick([random.chars(hexDigits, 40), random.chars(alnum, [32, 48]), random.chars(urlSafe, [30, 60])]);

const makers: readonly Maker[] = [
  ...shapedKinds.map(ofKind),
  ...keyedKinds.map(ofKind),
  inPlaces('AWS secret beside its id', 'fixed place', places.awsPlaces, (random) => random.chars(base64, 40)),
  inPlaces('password in an address', 'fixed place', places.dsnPlaces, urlPassword),
  inPlaces('password in a command', 'fixed place', places.commandPlaces, shellPassword),
  inPlaces('session cookie', 'fixed place', places.cookiePlaces, sessionValue),
  inPlaces('token in a header', 'fixed place', places.headerPlaces, headerValue),
  inPlaces('password in prose', 'passwords in prose and settings', places.prosePlaces, password),
  inPlaces('password in settings', 'passwords in prose and settings', places.namePlaces, password, [
    'password',
    'DB_PASSWORD',
    'dbPassword',
    'POSTGRES_PASSWORD',
    'passwd',
    'smtp_pass',
    'admin-password',
  ]),
  dockerAuth,
  kubernetesSecret,
  discordHook,
  slackHook,
  sas,
  presigned,
  pem,
  cutPem,
];

export const kindCount = makers.length;

/** Takes the kinds in turn, so that each comes up equally often. */
export const makeSecrets = (seed: number, count: number): readonly MadeSecret[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, i) => {
    const { kind, group, make } = makers[i % makers.length] as Maker;
    return { kind, group, ...make(random) };
  });
};

const minShown = 8;
/** Whether the text still shows the secret or a part of it. */
export const isShown = ({ hidden }: MadeSecret, text: string): boolean =>
  hidden.some((secret) => {
    if (secret.length <= minShown) return text.includes(secret);
    for (let at = 0; at + minShown <= secret.length; at++)
      if (text.includes(secret.slice(at, at + minShown))) return true;
    return false;
  });
