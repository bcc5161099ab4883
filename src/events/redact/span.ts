/** What a detector of secrets answers. */

/** Where two secrets overlap, the kind that comes first here names both: `Bearer eyJ...` is a jwt. */
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

/** Half open, in UTF-16 units. */
export type Span = { readonly kind: SecretKind; readonly start: number; readonly end: number };

/**
 * Where the words stand that detectors start from, found in one pass (`sightings.ts`): the marks of issuers, sensitive
 * names, programs, and what else a pattern begins with. Each in the order of the text.
 */
export type Place = { readonly at: number; readonly word: string };
export type Sightings = {
  readonly prefixes: readonly Place[];
  readonly names: readonly Place[];
  readonly tools: readonly Place[];
  readonly marks: ReadonlyMap<string, readonly number[]>;
};

/**
 * Looks for one sort of secret. Cheap for a text without any, because most notes pay for looking alone: a detector starts
 * from sightings, or lets one tell whether its pattern is worth trying at all.
 */
export type Detector = (text: string, seen: Sightings) => readonly Span[];

export const markerStart = '[REDACTED:';

export const spanOf = (kind: SecretKind, start: number, value: string): Span => ({
  kind,
  start,
  end: start + value.length,
});

/** A pattern whose group `value` is the secret; `keep`, if it has one, is all that stands before the value. */
export const findAll = (
  text: string,
  pattern: RegExp,
  kindOf: (value: string, match: RegExpExecArray) => SecretKind | undefined,
): readonly Span[] => {
  const found: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const keep = match.groups?.['keep']?.length ?? 0;
    const value = match.groups?.['value'] ?? match[0].slice(keep);
    const kind = kindOf(value, match);
    if (kind !== undefined) found.push(spanOf(kind, match.index + keep, value));
  }
  return found;
};

/** The same for a sticky pattern and the places where it may begin; none begins inside of another. */
export const findFrom = (
  text: string,
  places: readonly number[],
  pattern: RegExp,
  kindOf: (value: string, match: RegExpExecArray) => SecretKind | undefined,
): readonly Span[] => {
  const found: Span[] = [];
  let end = 0;
  for (const at of places) {
    if (at < end) continue;
    const match = matchAt(pattern, text, at);
    if (match === undefined) continue;
    end = at + match[0].length;
    const keep = match.groups?.['keep']?.length ?? 0;
    const value = match.groups?.['value'] ?? match[0].slice(keep);
    const kind = kindOf(value, match);
    if (kind !== undefined) found.push(spanOf(kind, at + keep, value));
  }
  return found;
};

/** Where any of these marks stands, in order. */
export const placesOf = ({ marks }: Sightings, words: readonly string[]): readonly number[] => {
  const lists = words.flatMap((word) => (marks.has(word) ? [marks.get(word) ?? []] : []));
  return lists.length === 1 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a - b);
};

/** The sticky pattern's match at that place. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};
