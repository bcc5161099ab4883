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

/** Finds one sort of secret. Must be cheap for a text without any, as most notes are. */
export type Detector = (text: string) => readonly Span[];

export const markerStart = '[REDACTED:';

export const spanOf = (kind: SecretKind, start: number, value: string): Span => ({
  kind,
  start,
  end: start + value.length,
});

/**
 * Group `value` is the secret; `keep`, if there is one, is all of the match before it. Without `value` the secret is
 * the rest after `keep`; without `keep` it is the last occurrence of the value in the match.
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
