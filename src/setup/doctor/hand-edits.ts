/** Check of the note files: what was changed by hand and no event holds yet, and what is left alone. */

import { tellCopies } from '../../commands/importing/copied-notes.js';
import { areTooManyDeletions } from '../../commands/worktree/hand-edits.js';
import { inspectTree } from '../../commands/worktree/inspect-tree.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { ulidGenerator } from '../../events/ids.js';
import { journalFolder, journalNames } from '../../events/note/note.js';
import { isStillCheckedOut } from '../../events/worktree/working-tree.js';
import type { State } from '../../state/state.js';
import { askState, passOverDamage } from '../../state/state-file.js';
import { openLiveIndex } from '../../workers/live-index.js';
import { openNoteLookup } from '../../workers/note-lookup.js';
import { type Check, countOf, type Examined, existingJournals, type Finding, nameSome, ok, warning } from './check.js';

export const handEditsCheck: Check = {
  name: 'hand edits',
  look: async (examined) => {
    const { gitWorks, sqliteProblem } = examined;
    if (!gitWorks || sqliteProblem !== undefined) return [];
    if (existingJournals(examined).length === 0) return [];
    return (await askState(examined, (state) => compareFiles(examined, state)).catch(passOverDamage)) ?? [];
  },
};

const compareFiles = async (examined: Examined, state: State): Promise<readonly Finding[]> => {
  const changed: string[] = [];
  const removed: string[] = [];
  const left: string[] = [];
  let areHeld = false;
  const store = toLookAt(examined, state);
  for (const { name } of existingJournals(examined)) {
    const found = await inspectTree(store, name);
    const replaced = new Set(found.replaced.map(({ path }) => path));
    const edited = [...found.adopt, ...found.merge].map(({ path }) => path).filter((path) => !replaced.has(path));
    changed.push(...edited.map((path) => `${journalFolder[name]}/${path}`));
    removed.push(...[...found.deleted, ...replaced].map((path) => `${journalFolder[name]}/${path}`));
    const told = await tellCopies(store, name, found.left);
    left.push(...told.map(({ path, reason }) => `${journalFolder[name]}/${path} (${reason})`));
    areHeld ||= areTooManyDeletions(found.deleted.length + replaced.size, state.allCheckedOut(name).size);
  }
  const findings: Finding[] = [];
  if (left.length > 0) {
    findings.push(
      warning('hand edits', `${countOf(left.length, 'file')} can't be taken in: ${nameSome(left)}`, {
        next: 'fix or move the named files, then run: anamnesis adopt',
      }),
    );
  }
  const recorded = areHeld ? changed : [...changed, ...removed];
  if (recorded.length > 0) {
    findings.push(
      warning(
        'hand edits',
        `${countOf(recorded.length, 'file')} changed by hand, not recorded: ${nameSome(recorded)}`,
        {
          next: 'run: anamnesis adopt',
          fix: { plan: 'record what was changed by hand, as anamnesis adopt does', carryOut: () => adopt(examined) },
        },
      ),
    );
  }
  if (areHeld) {
    findings.push(
      warning(
        'hand edits',
        `${countOf(removed.length, 'removed or replaced file')} wait for a word: ${nameSome(removed)}`,
        {
          next: 'run: anamnesis adopt --deletions (forget them) or --put-back (bring them back)',
        },
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('hand edits', 'every change is recorded')];
};

const adopt = ({ withMemory }: Examined): Promise<string> =>
  withMemory(async (memory) => {
    const reconciled = await memory.adopt('hold');
    const events = journalNames.flatMap((name) => reconciled[name].event ?? []);
    return events.length === 0 ? 'nothing was left to record' : events.map(({ subject }) => subject).join('; ');
  });

/** The write path's parts without their power to write: looking takes no lock and asks no index. */
const toLookAt = ({ home, journals, machine, nowMs }: Examined, state: State): Store => ({
  journals,
  state,
  lock: {
    tryAcquire: () => false,
    acquire: async () => undefined,
    isWanted: () => false,
    release: () => undefined,
    close: () => undefined,
  },
  lookup: openNoteLookup(openLiveIndex(`${home}/index`, [journals.portable, journals.local], () => undefined)),
  isAsCheckedOut: (journal, row) => isStillCheckedOut(journals[journal].folder, row),
  machine,
  nowMs,
  newId: ulidGenerator(),
  log: () => undefined,
  step: () => undefined,
});
