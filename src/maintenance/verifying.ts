/** Verifies that the journals are whole: git's objects, every note, every trailer, no repeated id. */

import type { VerifyAnswer } from '../answers/store-schema.js';
import { checkObjects, type FsckReport } from '../events/git/git-admin.js';
import { hasRemote } from '../events/git/git-files.js';
import { journalFolder, journalNames } from '../events/note/note.js';
import { describeProblem, parseNoteFile, unreadFile } from '../events/note/note-file.js';
import { readInBatches } from '../events/read-in-batches.js';
import { faultOf } from '../state/environment-probe.js';
import type { Memory } from '../store/memory.js';

/** Reads every note and every commit message. Reports repeated ids, which the next event on the note folds into one. */
export const verifyStore = async (memory: Memory): Promise<VerifyAnswer> => {
  const problems: VerifyAnswer['problems'][number][] = [];
  let notes = 0;
  let events = 0;
  for (const journal of journalNames) {
    const repository = memory.journals[journal];
    if (!repository.exists()) continue;
    const add = (kind: string, detail: string): number =>
      problems.push({ journal: journalFolder[journal], kind, detail });
    const objects = await checkAtRest(memory, repository);
    if (!objects.ok) for (const line of objects.lines.slice(0, 20)) add('git-object', line);
    if (journal === 'local' && hasRemote(repository.folders.gitDir)) {
      add('local-has-remote', 'machine-local notes must not reach a remote: remove it from the local journal');
    }
    const head = repository.head();
    if (head === undefined) continue;
    try {
      const pathsById = new Map<string, string[]>();
      const entries = await repository.notes(head);
      for await (const { entry, bytes, size } of readInBatches(repository, entries)) {
        const { path, blob } = entry;
        if (bytes === undefined && size === undefined) {
          add('missing-object', `${path}: git does not have ${blob}`);
          continue;
        }
        const parsed = bytes === undefined ? unreadFile(path, size) : parseNoteFile(bytes, journal, path);
        if (!parsed.ok) {
          add('unreadable-note', describeProblem(parsed.problem));
          continue;
        }
        notes += 1;
        const { id } = parsed.file.note;
        const paths = pathsById.get(id);
        if (paths === undefined) pathsById.set(id, [path]);
        else paths.push(path);
      }
      for (const [id, paths] of pathsById) if (paths.length > 1) add('repeated-id', `${id}: ${nameFirst(paths)}`);
      const logged = await repository.events(undefined, head);
      events += logged.length;
      for (const { commit } of logged.filter(({ malformed }) => malformed)) {
        add('unreadable-trailers', `${commit}: its trailers can't be read as an event`);
      }
    } catch (error) {
      // A machine that prevents the check says nothing about the journal.
      const fault = faultOf(error, memory.settings.home);
      if (fault !== undefined && !fault.code.endsWith('-damaged')) throw fault;
      add('git-failed', error instanceof Error ? error.message : String(error));
    }
  }
  return { ok: problems.every(({ kind }) => harmless.has(kind)), notes, events, problems };
};

/** Reported, although everything in the journal can be read and is in the history. */
const harmless: ReadonlySet<string> = new Set(['repeated-id']);
const maxNamed = 5;

const nameFirst = (names: readonly string[]): string =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ['…'] : [])].join(', ');

/** A repack removes packs that git may be reading, so a problem is checked once more while nobody can write. */
const checkAtRest = async (memory: Memory, { folders }: Memory['journals']['portable']): Promise<FsckReport> => {
  const found = await checkObjects(folders);
  return found.ok ? found : memory.exclusively(() => checkObjects(folders));
};
