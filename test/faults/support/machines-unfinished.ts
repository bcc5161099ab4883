/** Files that a person has not finished yet, while commands work on their notes. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { undoEvent } from '../../../src/app/undoing.js';
import { journalFolder, journalNames } from '../../../src/events/note/note.js';
import { folderOfJournal, personsGit } from '../../support/store.js';
import { type Planned, performStep, planCommand } from './machines-commands.js';
import { type Fleet, type FoundNote, type Machine, noteFiles, tokensOfNote, without } from './machines-fleet.js';
import { adoptStep } from './machines-hand.js';
import { mustBeKept } from './machines-laws.js';
import { tokensIn } from './machines-ledger.js';
import { syncStep } from './machines-sync.js';

/** Adds a line with a new token at the end, as an editor would, and returns the token. */
export const typeLine = (fleet: Fleet, machine: Machine, { id, path }: Pick<FoundNote, 'id' | 'path'>): string => {
  const token = fleet.ledger.newToken();
  writeFileSync(path, withLine(readFileSync(path, 'utf8'), token));
  typed(fleet, machine, token, `${id} ${path}`);
  return token;
};

export const withLine = (text: string, token: string): string => `${text.replace(/\n*$/, '\n')}by hand ${token}\n`;

/** Which journal adopts the text depends on the commands: either history of this machine will do. */
export const typed = ({ ledger, step, log }: Fleet, machine: Machine, token: string, where: string): void => {
  ledger.savedByHand(token, machine.name);
  ledger.acknowledge({ token, kind: 'body', machine: machine.name, journal: 'local', step });
  log(machine, `typed ${token} into ${where}`);
};

type Way = 'title' | 'fence' | 'empty' | 'cut front' | 'cut body' | 'conflict' | 'whole';
const ways: readonly Way[] = ['title', 'fence', 'empty', 'cut front', 'cut body', 'conflict'];

/** Returns the text of the file until the person finishes it, mostly unreadable as a note. */
const breakText = (whole: string, way: Way): string => {
  const end = whole.indexOf('\n---\n');
  switch (way) {
    case 'title':
      return whole.replace(/^title:.*$/m, 'title: [half');
    case 'fence':
      return whole.replace('\n---\n', '\n--\n');
    case 'empty':
      return '';
    case 'cut front':
      return whole.slice(0, Math.max(5, Math.floor(end / 2)));
    case 'cut body':
      return whole.slice(0, end + 5 + Math.floor((whole.length - end - 5) / 2));
    case 'conflict':
      return whole.replace(/^(title:.*)$/m, '<<<<<<< HEAD\n$1\n=======\n$1\n>>>>>>> theirs');
    case 'whole':
      return whole;
  }
};

export const unfinishedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const files = noteFiles(machine);
  if (files.length === 0) return;
  const file = fleet.random.pick(files);
  await leaveUnfinished(fleet, machine, file, readFileSync(file.path, 'utf8'), fleet.random.pick(ways));
};

/** Makes a file where a note was forgotten, or where a move to the other journal would put it. */
export const remadeStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  const files = noteFiles(machine);
  if (files.length === 0) return;
  const file = random.pick(files);
  const way = random.chance(0.5) ? 'whole' : random.pick(ways);
  const whole = readFileSync(file.path, 'utf8');
  if (random.chance(0.5)) {
    const takes = [...tokensOfNote(machine, file.id)];
    const planned: Planned = { command: { kind: 'forget', id: file.id }, brings: [], takes };
    const { status } = await performStep(fleet, machine, planned);
    if (status !== 'recorded' || existsSync(file.path)) return;
    fleet.forgotten.push(file.id);
    // A person who puts the file back saves its earlier text as well.
    await leaveUnfinished(fleet, machine, file, whole, way, { kind: 'restore', id: file.id });
    return;
  }
  const journal = file.journal === 'portable' ? 'local' : 'portable';
  const path = file.path.replace(`/${journalFolder[file.journal]}/`, `/${journalFolder[journal]}/`);
  if (existsSync(path) || !existsSync(folderOfJournal(machine.home, journal))) return;
  mkdirSync(dirname(path), { recursive: true });
  cpSync(file.path, path);
  if (journal === 'portable') fleet.ledger.published(file.id, tokensIn(whole));
  else fleet.ledger.exposed.add(file.id);
  const scope = journal === 'local' ? 'machine-local' : 'portable';
  await leaveUnfinished(fleet, machine, { ...file, journal, path }, whole, way, { kind: 'move', id: file.id, scope });
};

/** Saves half of the file, runs some commands on its note, and saves the whole file. */
const leaveUnfinished = async (
  fleet: Fleet,
  machine: Machine,
  file: FoundNote,
  before: string,
  way: Way,
  first?: Planned['command'],
): Promise<void> => {
  const { random, ledger } = fleet;
  const { path, id } = file;
  const token = ledger.newToken();
  const whole = withLine(before, token);
  // Often in the middle of the file, so that half-saved ones have it too.
  const broken = breakText(random.chance(0.5) ? whole : withMiddle(before, token), way);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, broken);
  fleet.log(machine, `left ${file.journal} ${path} unfinished: ${way}`);
  const isSaved = broken.includes(token);
  if (isSaved) typed(fleet, machine, token, `${file.journal} ${id}`);
  if (way === 'cut body') ledger.takeOutByHand(without(tokensIn(before), tokensIn(broken)));
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const did = await somethingElse(fleet, machine, id, count > 0 ? first : undefined);
    first = undefined;
    if (isSaved) mustBeKept(fleet, machine, token, `${did} beside an unfinished file (${way})`);
  }
  const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (now === broken && broken !== whole) {
    writeFileSync(path, whole);
    typed(fleet, machine, token, `${file.journal} ${id}, which is whole now`);
  } else fleet.log(machine, `the unfinished file ${now === undefined ? 'is gone' : 'has another text'} now`);
};

const withMiddle = (text: string, token: string): string => text.replace('\n---\n', `\n---\nby hand ${token}\n`);

const somethingElse = async (
  fleet: Fleet,
  machine: Machine,
  id: string,
  first: Planned['command'] | undefined,
): Promise<string> => {
  const { random } = fleet;
  const what = first === undefined ? random.weighted({ command: 12, undo: 2, sync: 2, adopt: 2 }) : 'command';
  switch (what) {
    case 'command': {
      const plan =
        first === undefined ? await planCommand(fleet, machine, id) : { command: first, brings: [], takes: [] };
      await performStep(fleet, machine, plan, { fileMayLag: true });
      return plan.command.kind;
    }
    case 'undo':
      await undoLast(fleet, machine);
      return 'undo';
    case 'sync':
      await syncStep(fleet, machine);
      return 'sync';
    case 'adopt':
      await adoptStep(fleet, machine);
      return 'adopt';
  }
};

/** Undoes an event of this machine, the last or the given one: its tokens may go and earlier ones come back. */
export const undoLast = async (fleet: Fleet, machine: Machine, event?: string): Promise<boolean> => {
  const before = tokensShown(machine);
  const found = await undoEvent(machine.memory, event).catch((error: unknown) =>
    fleet.fail(`${machine.name} undo failed: ${error instanceof Error ? error.stack : String(error)}`),
  );
  fleet.log(
    machine,
    `undo → ${found.ok ? `${found.answer.answer.status} of ${found.answer.undone.id}` : found.refusal.code}`,
  );
  if (!found.ok) return false;
  const { answer } = found.answer;
  fleet.ledger.takeOut(without(before, tokensShown(machine)));
  if (answer.event !== undefined)
    fleet.ledger.acknowledgeEvent({ id: answer.event.id, machine: machine.name, step: fleet.step });
  return answer.status === 'recorded';
};

/** The tokens in the files or in the heads, which differ while a file is unfinished. */
const tokensShown = (machine: Machine): ReadonlySet<string> => {
  const heads = journalNames.map((name) => {
    const { folder, head } = machine.memory.journals[name];
    return head() === undefined ? '' : grep(folder);
  });
  const files = noteFiles(machine).map(({ path }) => readFileSync(path, 'utf8'));
  return tokensIn([...heads, ...files].join('\n'));
};

const grep = (folder: string): string => {
  try {
    return personsGit(folder, 'grep', '-hE', 'zq[0-9]{6}zq', 'main');
  } catch {
    return '';
  }
};
