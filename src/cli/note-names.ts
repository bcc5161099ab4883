/** Ids in sentences and lists, as a person knows the notes: by their short ids and titles. JSON keeps the whole ids. */
import type { NoteName, Notes } from '../app/notes.js';
import { quoteTitle } from '../events/note/quoted-text.js';
import { sayWarnings } from './output.js';
import { cutTo } from './table.js';

export type Namer = Pick<Notes, 'names'>;

/**
 * The sentences with the short id of each note; `note <id>` has its title too, where none follows. An id in a path stays. What
 * is a field elsewhere is an option here.
 */
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

/** `6DDRKK Deploys need the VPN`, for a line of its own. The id of a note that is not here is shown whole. */
export const nameLine = (id: string, names: ReadonlyMap<string, NoteName>): string => {
  const { shortId = id, title = '' } = names.get(id) ?? {};
  return title === '' ? shortId : `${shortId} ${title}`;
};
