/** The use cases of a store, called by every surface: the command line, the MCP server and any later one. */
import type { Settings } from '../config/settings.js';
import { type Access, ownerAccess, restricted } from './access.js';
import type { History } from './history.js';
import type { Intake } from './intake.js';
import { later } from './lazy-part.js';
import type { Maintenance } from './maintenance.js';
import { type Notes, openNotes } from './notes.js';
import type { Review } from './review.js';
import { openStores, type StoreOptions, type Stores } from './stores.js';
import type { Sync } from './sync.js';
import type { Trace } from './trace/trace.js';
import { withTrace } from './trace/with-trace.js';

export type { Answer, Asker } from '../store/memory.js';
export type { Found } from '../store/reading.js';
export { ownerAccess };

/** All use cases, bound to one access. A use case that needs a lot of code loads it when called. */
export type App = Pick<Stores, 'settings' | 'exists' | 'log'> & {
  readonly notes: Notes;
  readonly history: History;
  readonly sync: Sync;
  readonly review: Review;
  readonly intake: Intake;
  readonly maintenance: Maintenance;
  readonly trace: Trace;
};

/**
 * An open store, not yet bound to an access. `as` is one method, not a parameter of every use case: a server for
 * several people names the asker once, where a request comes in, and passes on an App that serves only that person.
 * Code that forgets to call it has no `notes` to call, so it doesn't compile.
 */
export type OpenApp = {
  as(access: Access): App;
  finish(): Promise<void>;
};

/** Doesn't touch the disk before the first use case. */
export const openApp = (settings: Settings, options?: StoreOptions): OpenApp => {
  const stores = openStores(settings, options);
  return { as: (access) => appOn(stores, access), finish: stores.finish };
};

/** Builds the same use cases on a store that the caller opened and will close. */
export const appOn = (stores: Stores, access: Access): App => {
  const named = inNameOf(stores, access.user);
  const whole = access.workspace === undefined ? named : withoutAccess(named, access.workspace);
  const { settings, exists, log } = stores;
  return {
    settings,
    exists,
    log,
    notes: withTrace(openNotes(named, access.workspace), stores, access),
    history: later(async () => (await import('./history.js')).openHistory(whole)),
    sync: later(async () => (await import('./sync.js')).openSync(whole)),
    review: later(async () => (await import('./review.js')).openReview(whole)),
    intake: later(async () => (await import('./intake.js')).openIntake(whole)),
    maintenance: later(async () => (await import('./maintenance.js')).openMaintenance(whole)),
    trace: later(async () => (await import('./trace/trace.js')).openTrace(stores, access)),
  };
};

/** Records everything under this user's name. */
const inNameOf = (stores: Stores, user: string | undefined): Stores =>
  user === undefined
    ? stores
    : {
        ...stores,
        async toWrite() {
          const memory = await stores.toWrite();
          return {
            ...memory,
            perform: (command, asker) => memory.perform(command, { ...asker, user }),
            submit: (command, asker) => memory.submit(command, { ...asker, user }),
          };
        },
      };

const withoutAccess = (stores: Stores, workspace: string): Stores => {
  const refuse = async (): Promise<never> => {
    throw restricted(workspace);
  };
  return { ...stores, toRead: refuse, toWrite: refuse };
};
