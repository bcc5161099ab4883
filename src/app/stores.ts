/** Opens a store once per surface: for reading only, until something needs more. */
import type { Settings } from '../config/settings.js';
import { type HandEdited, noteHandEdits } from '../state/hand-edited.js';
import type { Memory } from '../store/memory.js';
import { type OnHandEdit, openReading, type Reading } from '../store/reading.js';

export type Stores = {
  readonly settings: Settings;
  /** False before the first command that writes. */
  exists(): boolean;
  /** Appends a line to the store's log, with secrets masked. */
  log(line: string): Promise<void>;
  toRead(): Promise<Reading>;
  /** For use cases that write, or that need the pool or git: loads three times the code. Doesn't create a store. */
  toWrite(): Promise<Memory>;
};

export type OpenStores = Stores & {
  /** Waits for writes in progress and leaves the store tidy. */
  finish(): Promise<void>;
};

export type StoreOptions = {
  /** True for a long-lived process: a hand edit is noted when a reader sees it, instead of when the process ends. */
  readonly lasting?: boolean | undefined;
};

export const openStores = (settings: Settings, { lasting = false }: StoreOptions = {}): OpenStores => {
  const edited: HandEdited[] = [];
  let noteHandEdit: OnHandEdit = (journal, path) => void edited.push({ journal, path });
  const reading = openReading(settings, (journal, path) => noteHandEdit(journal, path));
  let writing: Promise<Memory> | undefined;

  const openToWrite = async (): Promise<Memory> => {
    const { openMemory } = await import('../store/memory.js');
    return openMemory(settings, {
      openReading: (onHandEdit) => {
        noteHandEdit = onHandEdit;
        return reading;
      },
    });
  };
  const toWrite = (): Promise<Memory> => {
    writing ??= openToWrite().then((memory) => {
      for (const { journal, path } of edited.splice(0)) noteHandEdit(journal, path);
      return memory;
    });
    return writing;
  };

  return {
    settings,
    exists: reading.exists,
    async log(line) {
      const { maskText } = await import('../events/note/mask-text.js');
      reading.log(maskText(line));
    },
    toRead: async () => (lasting || writing !== undefined ? toWrite() : reading),
    toWrite,
    async finish() {
      if (writing === undefined) reading.close();
      else await (await writing).finish();
      if (edited.length > 0) await noteHandEdits(settings.home, edited);
    },
  };
};
