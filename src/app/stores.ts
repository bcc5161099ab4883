/** Opens a store once for all that a surface asks of it: for reading only, until something needs more. */
import type { Settings } from '../config/settings.js';
import { type HandEdited, leaveWord } from '../state/hand-edited.js';
import type { Memory } from '../store/memory.js';
import { type OnHandEdit, openReading, type Reading } from '../store/reading.js';

export type Stores = {
  readonly settings: Settings;
  /** False before the first command that writes. */
  exists(): boolean;
  /** A line for the store's log, secrets masked. */
  log(line: string): Promise<void>;
  toRead(): Promise<Reading>;
  /** For what writes, and for what needs the pool or git: loads three times the code. Makes no store by itself. */
  toWrite(): Promise<Memory>;
};

export type OpenStores = Stores & {
  /** Waits for writes under way and leaves the store tidy. */
  finish(): Promise<void>;
};

export type StoreOptions = {
  /** The process lives on: a hand edit is noted when a reader sees it, and not when the process ends. */
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
      if (edited.length > 0) await leaveWord(settings.home, edited);
    },
  };
};
