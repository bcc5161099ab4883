/** The user and the workspace that a use case acts for, and what is refused to one that may not see the whole store. */
import type { Settings } from '../config/settings.js';
import { Fault } from '../events/faults.js';
import type { Memory } from '../store/memory.js';
import type { Reading } from '../store/reading.js';

/** The user and the workspace that a use case acts for. */
export type Access = {
  /** The user that events record; undefined means the user in this machine's settings. Hides no notes. */
  readonly user: string | undefined;
  /** Only this workspace's notes are visible, and new ones belong to it; undefined means the whole store. */
  readonly workspace: string | undefined;
};

/** Access for the person at this machine and the agents that they allow. */
export const ownerAccess = ({ user }: Pick<Settings, 'user'>): Access => ({ user, workspace: undefined });

/** Thrown when an access to one workspace asks for something that covers the whole store, such as history or sync. */
export const restricted = (workspace: string): Fault =>
  new Fault(
    'access-restricted',
    `this needs the whole store, but the access is limited to the workspace ${workspace}`,
    'ask for notes, or for the whole store',
  );

/** A store as an access may use it. */
export type Stores = Pick<Reading, 'settings' | 'exists'> & {
  readonly access: Access;
  toRead(): Promise<Reading>;
  /** For use cases that write, or that need the pool or git: loads three times the code. Doesn't create a store. */
  toWrite(): Promise<Memory>;
};
