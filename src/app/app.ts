/**
 * An open store, bound to whoever asks: what every surface passes to a use case. A use case is a plain function, which a
 * surface imports when it is needed.
 */
import type { Settings } from '../config/settings.js';
import { type HandEdited, noteHandEdits } from '../state/hand-edited.js';
import type { Memory } from '../store/memory.js';
import { type OnHandEdit, openReading, type Reading } from '../store/reading.js';
import { type Access, ownerAccess, restricted, type Stores } from './access.js';
import { Notes } from './notes.js';

export type { Answer, Asker } from '../store/memory.js';
export type { Lookup } from '../store/reading.js';
export { ownerAccess };

export type App = Stores & {
  readonly notes: Notes;
  /** The store, for use cases that cover all of it; an access to one workspace is refused. */
  whole(): Promise<Memory>;
  /** The same, for use cases that only read. */
  wholeToRead(): Promise<Reading>;
  /** Appends a line to the store's log, with secrets masked. */
  log(line: string): Promise<void>;
};

/**
 * An open store, not yet bound to an access. `as` is one method, not a parameter of every use case: a server for
 * several people names the asker once, where a request comes in, and passes on an App that serves only that person.
 */
export type OpenApp = {
  as(access: Access): App;
  /** Waits for writes in progress and leaves the store tidy. */
  finish(): Promise<void>;
};

export type AppOptions = {
  /** True for a long-lived process: a hand edit is noted when a reader sees it, instead of when the process ends. */
  readonly lasting?: boolean | undefined;
};

/** Opens a store for reading only, until something needs more. Doesn't touch the disk before the first use case. */
export const openApp = (settings: Settings, { lasting = false }: AppOptions = {}): OpenApp => {
  const edited: HandEdited[] = [];
  let noteHandEdit: OnHandEdit = (journal, path) => void edited.push({ journal, path });
  const reading = openReading(settings, (journal, path) => noteHandEdit(journal, path));
  let writing: Promise<Memory> | undefined;

  const openToWrite = async (): Promise<Memory> => {
    const { openMemory } = await import('../store/memory.js');
    const memory = openMemory(settings, {
      openReading: (onHandEdit) => {
        noteHandEdit = onHandEdit;
        return reading;
      },
    });
    for (const { journal, path } of edited.splice(0)) noteHandEdit(journal, path);
    return memory;
  };
  const toWrite = (): Promise<Memory> => {
    writing ??= openToWrite();
    return writing;
  };
  const toRead = async (): Promise<Reading> => (lasting || writing !== undefined ? toWrite() : reading);
  return {
    as: (access) => appOn({ settings, exists: reading.exists, toRead, toWrite }, access),
    async finish() {
      if (writing === undefined) reading.close();
      else await (await writing).finish();
      if (edited.length > 0) await noteHandEdits(settings.home, edited);
    },
  };
};

/** The same on a store that the caller opened and will close. */
export const appOn = (store: Omit<Stores, 'access'>, access: Access): App => {
  const toWrite = async (): Promise<Memory> => inNameOf(await store.toWrite(), access.user);
  const { workspace } = access;
  const refuseRestricted = (): void => {
    if (workspace !== undefined) throw restricted(workspace);
  };
  const stores: Stores = { ...store, toWrite, access };
  return {
    ...stores,
    notes: new Notes(stores),
    async whole() {
      refuseRestricted();
      return toWrite();
    },
    async wholeToRead() {
      refuseRestricted();
      return store.toRead();
    },
    async log(line) {
      const { maskText } = await import('../events/note/mask-text.js');
      (await store.toRead()).log(maskText(line));
    },
  };
};

/** Records everything under this user's name. */
const inNameOf = (memory: Memory, user: string | undefined): Memory =>
  user === undefined
    ? memory
    : {
        ...memory,
        perform: (command, asker) => memory.perform(command, { ...asker, user }),
        submit: (command, asker) => memory.submit(command, { ...asker, user }),
      };
