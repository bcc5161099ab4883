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

/** Looks for one sort of secret. Cheap for a text without any: most notes pay for looking alone. */
export type Detector = (text: string) => readonly Span[];

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

/** The sticky pattern's match at that place. */
export const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
};
