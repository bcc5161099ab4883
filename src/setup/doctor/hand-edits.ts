/** Checks the note files for manual changes that no event records yet, and for files that are left alone. */
import { inspectTree } from '../../commands/worktree/inspect-tree.js';
import type { Store } from '../../commands/worktree/write-store.js';
import { ulidGenerator } from '../../events/ids.js';
import { journalFolder, journalNames } from '../../events/note/note.js';
import { isStillCheckedOut } from '../../events/worktree/working-tree.js';
import type { State } from '../../state/state.js';
import { askState, passOverDamage } from '../../state/state-file.js';
import { LiveIndex } from '../../store/live-index.js';
import { openNoteLookup } from '../../store/note-lookup.js';
import {
  type Check,
  type CheckInput,
  countOf,
  existingJournals,
  nameSome,
  type Verdict,
  verdictOf,
  warning,
} from './check.js';

export const handEditsCheck: Check = {
  name: 'hand edits',
  needs: ['git', 'sqlite', 'journals'],
  look: (examined) => askState(examined, (state) => compareFiles(examined, state)).catch(passOverDamage),
};

const compareFiles = async (examined: CheckInput, state: State): Promise<Verdict> => {
  const changed: string[] = [];
  const held: string[] = [];
  const left: string[] = [];
  const store = readOnlyStore(examined, state);
  for (const { name } of existingJournals(examined)) {
    const found = await inspectTree(store, name);
    const inFolder = (path: string): string => `${journalFolder[name]}/${path}`;
    changed.push(...found.edited.map(inFolder));
    (found.areHeld ? held : changed).push(...found.deleted.map(inFolder));
    left.push(...found.left.map(({ path, reason }) => `${inFolder(path)} (${reason})`));
  }
  return verdictOf(
    [
      left.length > 0 &&
        warning(
          `${countOf(left.length, 'file')} can't be adopted: ${nameSome(left)}`,
          'fix or move the named files, or run the command given for them, then: anamnesis adopt',
        ),
      changed.length > 0 &&
        warning(
          `${countOf(changed.length, 'file')} changed by hand, not recorded: ${nameSome(changed)}`,
          'run: anamnesis adopt',
          { fix: { plan: 'record changes made by hand, as anamnesis adopt does', carryOut: () => adopt(examined) } },
        ),
      held.length > 0 &&
        warning(
          `${countOf(held.length, 'removed file')} awaiting your decision: ${nameSome(held)}`,
          'run: anamnesis adopt --deletions (forget them) or --put-back (bring them back)',
        ),
    ],
    'every change is recorded',
  );
};

const adopt = ({ withMemory }: CheckInput): Promise<string> =>
  withMemory(async (memory) => {
    const reconciled = await memory.adopt('hold');
    const events = journalNames.flatMap((name) => reconciled[name].event ?? []);
    return events.length === 0 ? 'nothing was left to record' : events.map(({ subject }) => subject).join('; ');
  });

/** A store for the write path that can't write: inspecting takes no lock and records nothing. */
const readOnlyStore = ({ home, journals, machine, nowMs }: CheckInput, state: State): Store => ({
  journals,
  state,
  lock: {
    tryAcquire: () => false,
    acquire: async () => undefined,
    isWanted: () => false,
    release: () => undefined,
    close: () => undefined,
  },
  lookup: openNoteLookup(new LiveIndex(`${home}/index`, [journals.portable, journals.local], () => undefined)),
  isAsCheckedOut: (journal, row) => isStillCheckedOut(journals[journal].folder, row),
  machine,
  nowMs,
  newId: ulidGenerator(),
  log: () => undefined,
  step: () => undefined,
});
