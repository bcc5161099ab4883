/** Says which columns of a report did not fit the terminal. */
import { say } from '../output.js';

export const sayOmittedColumns = (heads: readonly string[]): void => {
  if (heads.length > 0)
    say(`too wide for this terminal: ${[...new Set(heads)].join(', ')}; a wider one or --json shows them`);
};
