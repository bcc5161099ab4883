/** An open store, bound to whoever asks. A use case is a plain function, which a surface imports when needed. */
import type { Settings } from '../config/settings.js';
import type { Memory } from '../store/memory.js';
import { Reading } from '../store/reading.js';
import { type Access, Notes, restricted } from './notes.js';

export type { Answer, Asker } from '../store/memory.js';
export type { Lookup } from '../store/reading.js';

/** Access for the person at this machine and the agents that they allow. */
export const ownerAccess = ({ user }: Pick<Settings, 'user'>): Access => ({ user, workspace: undefined });

export type App = Pick<Reading, 'settings' | 'exists'> & {
  readonly access: Access;
  /** For use cases that filter by the access themselves. */
  readonly reading: Reading;
  readonly notes: Notes;
  /** The store, for use cases that cover all of it; an access to one workspace is refused. */
  whole(): Promise<Memory>;
  wholeToRead(): Promise<Reading>;
  /** Appends a line to the store's log, with secrets masked. */
  log(line: string): Promise<void>;
};

/** Not yet bound to an access. `as` once, where a request comes in: a server names the asker, and serves only them. */
export type OpenApp = {
  as(access: Access): App;
  /** Waits for writes in progress and leaves the store tidy. */
  finish(): Promise<void>;
};

/** Opens a store for reading only, until something needs more. Doesn't touch the disk before the first use case. */
export const openApp = (settings: Settings): OpenApp => {
  const reading = new Reading(settings);
  let writing: Promise<Memory> | undefined;
  const toWrite = (): Promise<Memory> => {
    writing ??= import('../store/memory.js').then(({ Memory }) => new Memory(settings, {}, reading));
    return writing;
  };
  return {
    as: (access) => appOn(reading, toWrite, access),
    async finish() {
      if (writing === undefined) reading.close();
      else await (await writing).finish();
    },
  };
};

/** The same on a store that the caller opened and will close. */
export const appOn = (reading: Reading, open: () => Promise<Memory>, access: Access): App => {
  const toWrite = async (): Promise<Memory> => (await open()).inNameOf(access.user);
  const { workspace } = access;
  const refuseRestricted = (): void => {
    if (workspace !== undefined) throw restricted(workspace);
  };
  return {
    settings: reading.settings,
    exists: reading.exists,
    access,
    reading,
    notes: new Notes(reading, toWrite, access),
    async whole() {
      refuseRestricted();
      return toWrite();
    },
    async wholeToRead() {
      refuseRestricted();
      return reading;
    },
    async log(line) {
      const { maskText } = await import('../events/note/mask-text.js');
      reading.log(maskText(line));
    },
  };
};
