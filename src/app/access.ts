/** On whose behalf a use case runs. */
import type { Settings } from '../config/settings.js';
import { Fault } from '../events/faults.js';

export type Access = {
  /** Whose name events record; undefined is the user that this machine's settings name. Hides nobody's notes. */
  readonly user: string | undefined;
  /** Only this workspace's notes are seen, and new ones belong to it; undefined is the whole store. */
  readonly workspace: string | undefined;
};

/** The person at this machine, and the agents that they let in. */
export const ownerAccess = ({ user }: Pick<Settings, 'user'>): Access => ({ user, workspace: undefined });

/** Thrown when an access to one workspace asks for anything that covers the whole store, such as history or sync. */
export const restricted = (workspace: string): Fault =>
  new Fault(
    'access-restricted',
    `this needs the whole store, and the access is to the workspace ${workspace} only`,
    'ask for notes, or for the whole store',
  );
