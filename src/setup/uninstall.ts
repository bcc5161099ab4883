/** Removes what init registered with clients. Leaves the store unchanged. */
import type { Refusal } from '../commands/refusals.js';
import { isRefusal } from '../files/settings-file.js';
import { removeTrace } from '../store/trace-file.js';
import { withSetupLock } from './lock.js';
import { refuseOtherStore } from './other-store.js';
import { homeArgsOf } from './read-surroundings.js';
import { type ClientName, clientNames, type Surroundings } from './surroundings.js';
import { applyRemovals, type PlannedRemoval, planRemovals, type Removal } from './unregister.js';

export type UninstallRequest = {
  readonly storeHome: string;
  readonly clients: readonly ClientName[];
  /** Also removes entries of another store, even if that store could restore the file's original. */
  readonly anyStore?: boolean | undefined;
};

/** Plans uninstall without changing anything. */
export const planUninstall = (request: UninstallRequest, surroundings: Surroundings): readonly Removal[] | Refusal => {
  const planned = planOfOurs(request, surroundings);
  return isRefusal(planned) ? planned : planned.map(({ removal }) => removal).filter(({ change }) => change !== 'none');
};

/** Returns what was done. If all clients are named, also deletes the trace file. Throws Fault 'not-writable'. */
export const runUninstall = async (
  request: UninstallRequest,
  surroundings: Surroundings,
  nowMs: () => number = Date.now,
): Promise<readonly Removal[] | Refusal> => {
  const withArgs = withHomeArgs(request, surroundings);
  const early = planOfOurs(request, surroundings);
  if (isRefusal(early)) return early;
  const done =
    early.length === 0
      ? []
      : await withSetupLock(request.storeHome, async () => {
          const planned = planOfOurs(request, surroundings);
          return isRefusal(planned) ? planned : applyRemovals(planned, { request: withArgs, nowMs });
        });
  const isEveryClient = clientNames.every((name) => request.clients.includes(name));
  if (isEveryClient && !isRefusal(done)) removeTrace(request.storeHome);
  return done;
};

const planOfOurs = (request: UninstallRequest, surroundings: Surroundings): readonly PlannedRemoval[] | Refusal => {
  const planned = planRemovals(withHomeArgs(request, surroundings), surroundings);
  if (isRefusal(planned) || request.anyStore === true) return planned;
  return refuseOtherStore(planned, request.storeHome, surroundings) ?? planned;
};

const withHomeArgs = (request: UninstallRequest, surroundings: Surroundings) => ({
  ...request,
  homeArgs: homeArgsOf(request.storeHome, surroundings),
});
