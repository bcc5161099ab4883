/** Made-up keys, and texts with one of them in some place. */
import fc from 'fast-check';

export type Planted = {
  readonly kind: string;
  /** The key as it would be printed. */
  readonly text: string;
  /** The parts of it that must not leak. */
  readonly secrets: readonly string[];
};

/** Seeded random text, with letters of either case and digits in any 12 of its characters. */
const randomText = (seed: number, length: number): string => {
  const letters = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789'];
  let state = seed * 2654435761 + 12345;
  const next = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536);
  };
  return Array.from({ length }, (_, i) => {
    const set = letters[i % 3] ?? '';
    return set[next() % set.length];
  }).join('');
};

const pem = (label: string, lines: number, width: number, indent = '', header = ''): ((seed: number) => Planted) => {
  return (seed) => {
    const body = Array.from({ length: lines }, (_, i) => randomText(seed * 100 + i, i === lines - 1 ? 24 : width));
    const all = [`-----BEGIN ${label}-----`, ...(header === '' ? [] : [header, '']), ...body, `-----END ${label}-----`];
    return { kind: label, text: all.map((line) => indent + line).join('\n'), secrets: body };
  };
};

const token = (kind: string, prefix: string, length: number): ((seed: number) => Planted) => {
  return (seed) => {
    const body = randomText(seed, length);
    return { kind, text: `${prefix}${body}`, secrets: [body] };
  };
};

const makers: readonly ((seed: number) => Planted)[] = [
  pem('RSA PRIVATE KEY', 25, 64),
  pem('PRIVATE KEY', 26, 64),
  pem('EC PRIVATE KEY', 3, 64),
  pem('OPENSSH PRIVATE KEY', 26, 70),
  pem('ENCRYPTED PRIVATE KEY', 28, 64, '    '),
  pem('RSA PRIVATE KEY', 14, 64, '', 'Proc-Type: 4,ENCRYPTED'),
  pem('PGP PRIVATE KEY BLOCK', 40, 64, '', 'Version: GnuPG v2'),
  token('github', 'ghp_', 36),
  token('github', 'github_pat_', 82),
  token('gitlab', 'glpat-', 20),
  token('anthropic', 'sk-ant-api03-', 93),
  token('npm', 'npm_', 36),
  token('password', 'password="', 30),
];

export const anyKey: fc.Arbitrary<Planted> = fc
  .tuple(fc.constantFrom(...makers), fc.integer({ min: 1, max: 50 }))
  .map(([make, seed]) => make(seed))
  .map((key) => (key.kind === 'password' ? { ...key, text: `${key.text}"` } : key))
  // A failure prints the kind, not thirty lines of key.
  .map((key) => ({ ...key, [fc.toStringMethod]: () => key.kind }));

/** Where texts are cut, in characters: from their beginning or from their end. */
const cuts = [
  40, 60, 80, 120, 160, 200, 240, 300, 400, 600, 1000, 1024, 1200, 1800, 2000, 2400, 3000, 4000, 4096, 4800, 6144, 8000,
  12_000, 12_288, 16_384, 20_000, 26_000, 65_536, 131_072, 262_144,
];

const filler = (length: number, seed: string): string =>
  seed.repeat(Math.ceil(Math.max(0, length) / seed.length)).slice(0, Math.max(0, length));

/** A text of any length with the key near the point where some limit cuts it, counted from either end. */
export const anyPlace = (maxCut: number): fc.Arbitrary<(key: string) => string> =>
  fc
    .record({
      cut: fc.constantFrom(...cuts.filter((cut) => cut <= maxCut)),
      /** How much of the key is before the cut. */
      share: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
      shift: fc.integer({ min: -40, max: 40 }),
      fromEnd: fc.boolean(),
      other: fc.constantFrom(0, 20, 500, 9000),
      words: fc.constantFrom(
        'a plain line of words\n',
        'error: it went wrong here\n',
        'word and word ',
        '. . ',
        'ключ и ещё\n',
      ),
    })
    .map(({ cut, share, shift, fromEnd, other, words }) => (key: string) => {
      const near = filler(cut - Math.round(share * key.length) + shift, words);
      const far = filler(other, words);
      return fromEnd ? `${far}\n${key}\n${near}` : `${near}\n${key}\n${far}`;
    });

/** Finds pieces of the secrets in the text: any 16 consecutive characters. */
export const leaksOf = (text: string, { secrets }: Planted): readonly string[] => {
  const found: string[] = [];
  for (const secret of secrets) {
    for (let at = 0; at + 16 <= secret.length; at += 1) {
      const piece = secret.slice(at, at + 16);
      if (text.includes(piece)) found.push(piece);
    }
  }
  return found;
};
