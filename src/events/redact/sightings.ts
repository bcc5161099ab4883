/** The one pass over a text that decides which detectors look at it, and where. */
import { tools } from './command-tools.js';
import { awsSecretNames } from './documents.js';
import { cookieMarks, headerMarks } from './headers.js';
import { wordScanner } from './literals.js';
import { nameRoots } from './names.js';
import { loginMarks } from './prose.js';
import type { Place, Sightings } from './span.js';
import { statementMarks } from './statements.js';
import { azureMarks, tokenMarks } from './tokens.js';
import { hookMarks, schemeMarks, signatureMarks } from './urls.js';
import { vendorTokens } from './vendors.js';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Made when first needed: most processes redact nothing. */
const makeScanner = () =>
  wordScanner([
    {
      group: 'prefixes',
      words: vendorTokens.flatMap(({ prefixes }) => prefixes),
      anyCase: false,
      next: letters,
    },
    { group: 'names', words: nameRoots, anyCase: true },
    { group: 'tools', words: [...tools.keys()], anyCase: false, next: ' \t\r\n' },
    {
      group: 'marks',
      words: [
        ...tokenMarks,
        ...azureMarks.map((mark) => mark.toLowerCase()),
        ...headerMarks,
        ...cookieMarks,
        ...schemeMarks,
        ...hookMarks,
        ...signatureMarks,
        ...awsSecretNames,
        ...statementMarks,
        ...loginMarks,
      ],
      anyCase: true,
    },
  ]);
let scan: ReturnType<typeof makeScanner> | undefined;

export const sight = (text: string): Sightings => {
  scan ??= makeScanner();
  const places = { prefixes: [] as Place[], names: [] as Place[], tools: [] as Place[] };
  const marks = new Map<string, number[]>();
  for (const place of scan(text)) {
    if (place.group !== 'marks') {
      places[place.group].push(place);
      continue;
    }
    const list = marks.get(place.word);
    if (list === undefined) marks.set(place.word, [place.at]);
    else list.push(place.at);
  }
  return { ...places, marks };
};
