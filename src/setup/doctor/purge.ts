/** Checks for a purge that was begun and not finished, or not published. */
import { readUnfinished, readUnpublished } from '../../purge/purge-state.js';
import { askState } from '../../state/state-file.js';
import { type Check, problem } from './check.js';

export const purgeCheck: Check = {
  name: 'purge',
  look: async (examined) => {
    if (examined.sqliteProblem !== undefined) return [];
    const readBoth = (state: Parameters<typeof readUnfinished>[0]) => ({
      unfinished: readUnfinished(state),
      unpublished: readUnpublished(state),
    });
    // A damaged state.db has a check of its own.
    const { unfinished, unpublished } = (await askState(examined, readBoth).catch(() => undefined)) ?? {};
    const begun =
      unfinished === undefined
        ? []
        : [
            problem(
              'purge',
              `a purge of ${unfinished.what} was begun on ${unfinished.at}, and its text was not confirmed to be gone everywhere`,
              { next: 'repeat it: steps already done are skipped, and the rest is finished' },
            ),
          ];
    const waiting =
      unpublished === undefined
        ? []
        : [problem('purge', 'the remote still has what was purged on this machine', { next: 'run: anamnesis sync' })];
    return [...begun, ...waiting];
  },
};
