/** Lists of words that the program reads beside its code. */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const lists = 'src/projections/search/language';

/** Into the folder of a bundle; called from the root of the repository. */
export const copyWordLists = (folder) => {
  for (const name of readdirSync(lists))
    if (name.endsWith('.txt') && !name.endsWith('-notice.txt')) copyFileSync(join(lists, name), join(folder, name));
};
