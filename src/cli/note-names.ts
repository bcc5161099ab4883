/** Shows ids in sentences and lists as short ids and titles, for people. JSON keeps the whole ids. */
import type { NoteName, Notes } from '../app/notes.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { sayWarnings } from './output.js';
import { cutTo } from './table.js';

export type Namer = Pick<Notes, 'names'>;

/** Replaces ids by short ids, with the title for `note <id>` unless one follows; not in paths. Names the option. */
export const withNames = async (notes: Namer, texts: readonly string[]): Promise<readonly string[]> => {
  const ids = texts.flatMap((text) => [...text.matchAll(wholeId)].map(([, , id = '']) => id));
  if (ids.length === 0) return texts;
  const names = await notes.names([...new Set(ids)]);
  return texts.map((text) =>
    text
      .replace(wholeId, (all, noun: string | undefined, id: string, titled: string | undefined) => {
        const name = names.get(id);
        if (name === undefined) return all;
        return `${noun ?? ''}${noun === undefined || titled !== undefined ? name.shortId : nameOf(name)}${titled ?? ''}`;
      })
      .replace(/(?<=\bwith )supersedes(?= \w)/, '--supersedes'),
  );
};

const wholeId = /(?<![\w/])(note )?([0-7][0-9A-HJKMNP-TV-Z]{25})(?![\w/]|\.md)( \(")?/g;

/** `6DDRKK ("Deploys need the VPN")`. */
const nameOf = ({ shortId, title }: NoteName): string =>
  title === undefined || title === '' ? shortId : `${shortId} ("${cutTo(quoteTitle(title), maxTitleColumns)}")`;

const maxTitleColumns = 60;

export const sayNamedWarnings = async (notes: Namer, warnings: readonly string[]): Promise<void> =>
  sayWarnings(await withNames(notes, warnings));

/** `6DDRKK Deploys need the VPN`, for a line of its own. Shows the whole id of a note that isn't here. */
export const nameLine = (id: string, names: ReadonlyMap<string, NoteName>): string => {
  const { shortId = id, title = '' } = names.get(id) ?? {};
  return title === '' ? shortId : `${shortId} ${title}`;
};
