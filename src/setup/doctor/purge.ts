/** Checks for a purge that was begun and not finished. */
import { readUnfinished } from '../../purge/purge-state.js';
import { askState } from '../../state/state-file.js';
import { type Check, problem } from './check.js';

export const purgeCheck: Check = {
  name: 'purge',
  look: async (examined) => {
    if (examined.sqliteProblem !== undefined) return [];
    // A damaged state.db has a check of its own.
    const unfinished = await askState(examined, readUnfinished).catch(() => undefined);
    if (unfinished === undefined) return [];
    const { at, what, followed } = unfinished;
    if (what === undefined) {
      return [
        problem('purge', `a purge of another machine was followed on ${at} and not finished`, {
          next:
            followed.length === 0
              ? 'run: anamnesis sync'
              : `run: anamnesis sync, which finishes ${followed.join(', ')}`,
        }),
      ];
    }
    return [
      problem('purge', `a purge of ${what} was begun on ${at}, and its text was not confirmed to be gone everywhere`, {
        next: 'repeat it: steps already done are skipped, and the rest is finished',
      }),
    ];
  },
};
