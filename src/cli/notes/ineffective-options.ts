/** Warns of search options that another option makes ineffective. Pure. */
import type { SearchAsked } from '../../app/notes.js';

type How = Pick<SearchAsked, 'mode' | 'also' | 'fuzzy' | 'ignoreCase'>;

/** Returns a sentence for each. */
export const ineffectiveOptions = ({ mode = 'auto', also, fuzzy, ignoreCase }: How): readonly string[] => {
  const isExact = mode === 'exact';
  const idle = (option: string, isIdle: boolean, why: string): readonly string[] =>
    isIdle ? [`warning: ${option} does nothing ${why}`] : [];
  const inExact = 'with --mode exact, which looks for the text as it is typed';
  return [
    ...idle('--ignore-case', ignoreCase === true && !isExact, 'without --mode exact: words are found in either case'),
    ...idle('--also', (also?.length ?? 0) > 0 && isExact, inExact),
    ...idle('--no-fuzzy', fuzzy === false && isExact, inExact),
  ];
};
