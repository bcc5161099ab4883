/** Scans a text once to decide which detectors search it, and where. */
import { tools } from './command-tools.js';
import { awsSecretNames, settingNames } from './documents.js';
import { cookieMarks, headerMarks } from './headers.js';
import { wordScanner } from './literals.js';
import { nameRoots } from './names.js';
import { loginMarks } from './prose.js';
import type { FoundWords, Place, WordGroupName } from './span.js';
import { statementMarks } from './statements.js';
import { tokenMarks, tokenParts } from './tokens.js';
import { hookMarks, queryMarks, schemeMarks } from './urls.js';
import { vendorTokens } from './vendors.js';

const alphanumeric = 'abcdefghijklmnopqrstuvwxyz0123456789';
const blank = ' \t\r\n';

/** Compiled on first use: most processes redact nothing. */
const makeScanner = () => {
  const inAnyCase = (group: WordGroupName, words: readonly string[]) => ({ group, words, anyCase: true });
  return wordScanner<WordGroupName>([
    {
      group: 'prefixes',
      words: vendorTokens.flatMap(({ prefixes }) => prefixes),
      anyCase: false,
      next: alphanumeric,
    },
    { group: 'tools', words: [...tools.keys()], anyCase: false, next: blank },
    { group: 'parts', words: tokenParts, anyCase: false, next: `${alphanumeric}_-~.` },
    inAnyCase('names', nameRoots),
    inAnyCase('tokens', tokenMarks),
    inAnyCase('headers', headerMarks),
    inAnyCase('cookies', cookieMarks),
    inAnyCase('schemes', schemeMarks),
    inAnyCase('hooks', hookMarks),
    inAnyCase('queries', queryMarks),
    inAnyCase('settings', settingNames),
    inAnyCase('awsNames', awsSecretNames),
    inAnyCase('statements', statementMarks),
    inAnyCase('auths', ['auth']),
    inAnyCase('logins', loginMarks),
  ]);
};
let scan: ReturnType<typeof makeScanner> | undefined;

export const scanWords = (text: string, joints: readonly number[]): FoundWords => {
  scan ??= makeScanner();
  const seen: Record<WordGroupName, Place[]> = {
    prefixes: [],
    names: [],
    tools: [],
    tokens: [],
    parts: [],
    headers: [],
    cookies: [],
    schemes: [],
    hooks: [],
    queries: [],
    settings: [],
    awsNames: [],
    statements: [],
    auths: [],
    logins: [],
  };
  scan(text, (groups, at, word) => {
    const place = { at, word };
    for (const group of groups) seen[group].push(place);
  });
  return { ...seen, joints };
};
