/** The spans that detectors of secrets return, and the searches they share. */

/** If two secrets overlap, the kind that comes first here names both: `Bearer eyJ...` is a jwt. */
export const secretKinds = [
  'private-key',
  'aws-access-key',
  'aws-secret-key',
  'github-token',
  'gitlab-token',
  'slack-token',
  'slack-webhook',
  'google-api-key',
  'google-oauth',
  'stripe-key',
  'npm-token',
  'anthropic-key',
  'openai-key',
  'azure-key',
  'discord-token',
  'telegram-token',
  'api-key',
  'webhook',
  'signed-url',
  'docker-auth',
  'kubernetes-secret',
  'jwt',
  'url-credentials',
  'bearer-token',
  'basic-auth',
  'cookie',
  'command-password',
  'secret-value',
] as const;
export type SecretKind = (typeof secretKinds)[number];

/** A half-open range in UTF-16 units. */
export type Span = { readonly kind: SecretKind; readonly start: number; readonly end: number };

/** A word at which a detector starts; its groups say which detectors. */
export type Place = { readonly at: number; readonly word: string };
export type WordGroupName =
  | 'prefixes'
  | 'names'
  | 'tools'
  | 'tokens'
  | 'parts'
  | 'headers'
  | 'cookies'
  | 'schemes'
  | 'hooks'
  | 'queries'
  | 'settings'
  | 'awsNames'
  | 'statements'
  | 'auths'
  | 'logins';
/** Found in one pass (`word-scan.ts`), each group in the order of the text. */
export type FoundWords = Readonly<Record<WordGroupName, readonly Place[]>> & {
  /** Where a code was removed from the text, between two words or inside one; sorted. */
  readonly joints: readonly number[];
};

/**
 * Finds one sort of secret. Must be cheap for a text without any, as most notes are: a detector starts from found
 * words, or uses one to decide whether its pattern is worth trying at all.
 */
export type Detector = (text: string, seen: FoundWords) => readonly Span[];

export const markerStart = '[REDACTED:';

export const spanOf = (kind: SecretKind, start: number, value: string): Span => ({
  kind,
  start,
  end: start + value.length,
});

/**
 * The pattern's group `value` is the secret; the group `keep`, if it has one, is all of the match before the secret.
 * Without `value` the secret is the rest after `keep`; without `keep` it is the last occurrence of the value in the
 * match.
 */
export const findAll = (
  text: string,
  pattern: RegExp,
  kindOf: (value: string, match: RegExpExecArray) => SecretKind | undefined,
): readonly Span[] => {
  const found: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const { value, offset } = secretOf(match);
    const kind = kindOf(value, match);
    if (kind !== undefined) found.push(spanOf(kind, match.index + offset, value));
  }
  return found;
};

const secretOf = ({ 0: whole, groups }: RegExpExecArray): { readonly value: string; readonly offset: number } => {
  const keep = groups?.['keep']?.length;
  const value = groups?.['value'] ?? whole.slice(keep ?? 0);
  return { value, offset: keep ?? whole.lastIndexOf(value) };
};

/** The same for a sticky pattern and the places where it may begin; matches don't overlap. */
export const findFrom = (
  text: string,
  places: readonly Place[],
  pattern: RegExp,
  kindOf: (value: string, match: RegExpExecArray) => SecretKind | undefined,
): readonly Span[] => {
  const found: Span[] = [];
  let end = 0;
  for (const { at } of places) {
    if (at < end) continue;
    const match = matchAt(pattern, text, at);
    if (match === undefined) continue;
    end = at + match[0].length;
    const { value, offset } = secretOf(match);
    const kind = kindOf(value, match);
    if (kind !== undefined) found.push(spanOf(kind, at + offset, value));
  }
  return found;
};

/** The same for a pattern that must contain one of these words; the text around each is searched once. */
export const findAround = (
  text: string,
  places: readonly Place[],
  pattern: RegExp,
  kindOf: (value: string, match: RegExpExecArray) => SecretKind | undefined,
): readonly Span[] => {
  const found: Span[] = [];
  for (let i = 0; i < places.length; ) {
    const first = places[i]?.at ?? 0;
    let last = first;
    for (i++; i < places.length && (places[i]?.at ?? 0) - last < before + after; i++) last = places[i]?.at ?? last;
    const start = Math.max(0, first - before);
    // Starts at the beginning of a line, if there is one.
    const from = start === 0 ? 0 : start + text.slice(start, first).indexOf('\n') + 1;
    for (const span of findAll(text.slice(from, last + after), pattern, kindOf))
      found.push({ ...span, start: span.start + from, end: span.end + from });
  }
  return found;
};
const before = 500;
const after = 700;

/** The sticky pattern's match at that place. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};

/** Returns where the match ends; -1 for no match. Does not build a list of groups. */
export const endOfMatch = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};
