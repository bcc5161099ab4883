/** Lists of words that the program reads from files beside its code. */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const lists = 'src/projections/search/language';

/** Copies them into the folder of a bundle; must be called from the root of the repository. */
export const copyWordLists = (folder) => {
  for (const name of readdirSync(lists))
    if (name.endsWith('.txt') && !name.endsWith('-notice.txt')) copyFileSync(join(lists, name), join(folder, name));
};
