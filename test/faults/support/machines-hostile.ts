/** Commits of a stranger who may push to the remote, or whose repository a person pulls from. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulidGenerator } from '../../../src/events/ids.js';
import { blobIdOf } from '../../../src/events/note/blob-id.js';
import { parseNoteFile } from '../../../src/events/note/note-file.js';
import { formatTime } from '../../../src/events/time.js';
import { formatMessage } from '../../../src/events/trailers.js';
import { Memory } from '../../../src/store/memory.js';
import { setRemote } from '../../../src/sync/remote.js';
import { syncStore } from '../../../src/sync/syncing.js';
import { makeEvent } from '../../support/arbitraries.js';
import { personsGit, writeCommand } from '../../support/store.js';
import { performStep } from './machines-commands.js';
import { bodyOf, type Fleet, type Machine, noteFiles } from './machines-fleet.js';
import { adoptStep, cloneOnce, tryGit } from './machines-hand.js';
import { findStrangeRefs, mustNotLeak } from './machines-laws.js';
import { tokensIn } from './machines-ledger.js';
import { syncStep } from './machines-sync.js';

const newUlid = ulidGenerator();

/** Ends the author line and continues with other fast-import commands. */
const intoStream = [
  'x> 1 +0000',
  'committer x <x@example.com> 1 +0000',
  'data 0',
  '',
  'reset refs/heads/pwned',
  'from refs/heads/main',
  '',
  'commit refs/heads/pwned2',
  'committer x <x@example.com> 1 +0000',
  'data 1000000',
  '',
].join('\n');

const oddMachines = [intoStream, 'a<b', 'a>b', 'a\u0000b', '../../box0', 'x'.repeat(5000), 'a\nb', '-box', ' '];

const localFiles = (machine: Machine): ReadonlyMap<string, string> =>
  new Map(
    noteFiles(machine)
      .filter(({ journal }) => journal === 'local')
      .map(({ path }) => [path, readFileSync(path, 'utf8')]),
  );

const messageOf = (fleet: Fleet, machine: Machine): string => {
  const { random } = fleet;
  const local = [...localFiles(machine)];
  const trailers = new Map([
    ['Format', '1'],
    ['Event', newUlid(fleet.clockMs)],
    ['Kind', 'note.edited'],
    ['At', formatTime(fleet.clockMs)],
    ['Machine', 'box9'],
  ]);
  const way = random.weighted({ machine: 5, move: 4, event: 2, others: 2, note: 4 });
  if (way === 'machine') trailers.set('Machine', JSON.stringify(random.pick(oddMachines)));
  if (way === 'move' && local.length > 0) {
    // As if the stranger knew the note, which may have been portable once.
    const [path, text] = random.pick(local);
    const below = path.slice(join(machine.home, 'local').length + 1);
    trailers.set('Kind', 'note.moved');
    trailers.set('Note', below.slice(-29, -3));
    trailers.set('Move', `local ${blobIdOf(Buffer.from(text))} ${below}`);
  }
  if (way === 'event') {
    const known = [...fleet.ledger.events.keys()];
    if (known.length > 0) {
      const event = random.pick(known);
      fleet.reusedEvents.add(event);
      trailers.set('Event', event);
    }
  }
  if (way === 'note') {
    // The stranger's commit changes one note and names another, or none.
    const named = random.pick(noteFiles(machine));
    trailers.set('Kind', random.pick(['note.tagged', 'notes.imported', 'hand.adopted', 'x.y']));
    if (named !== undefined && random.chance(0.7)) trailers.set('Note', named.id);
  }
  if (way === 'others') {
    trailers.set('Command-Id', JSON.stringify('x\ny'));
    trailers.set('Undoes', [...fleet.ledger.events.keys()][0] ?? newUlid(fleet.clockMs));
    trailers.set('Lost', '"x title {"');
    trailers.set('Adopted', `${'0'.repeat(40)} semantic/../../x.md`);
  }
  return `${trailers.get('Kind')}: odd\n\n${[...trailers].map(([key, value]) => `${key}: ${value}`).join('\n')}\n`;
};

/** A stranger's commit is pushed to the remote, or pulled by a person, so that it has to be re-appended here. */
export const hostileTrailersStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  if (!fleet.isReachable) return;
  await syncStep(fleet, machine);
  await syncStep(fleet, machine);
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  const { folder, head } = machine.memory.journals.portable;
  if (head() === undefined) return;
  const clone = join(fleet.folder, `stranger-${fleet.step}`);
  cloneOnce(fleet, fleet.remote, clone);
  const token = ledger.newToken();
  const paths = personsGit(clone, 'ls-files', '*.md').split('\n').filter(Boolean);
  if (paths.length === 0) return rmSync(clone, { recursive: true, force: true });
  const path = join(clone, random.pick(paths));
  writeFileSync(path, `${readFileSync(path, 'utf8').replace(/\n*$/, '\n')}by a stranger ${token}\n`);
  personsGit(clone, 'add', '-A');
  const message = messageOf(fleet, machine);
  execFileSync(
    'git',
    ['-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '--cleanup=verbatim', '-F', '-'],
    {
      cwd: clone,
      input: message,
    },
  );
  const before = localFiles(machine);
  const isPulled = random.chance(0.5);
  fleet.log(
    machine,
    `a stranger's commit is ${isPulled ? 'pulled' : 'pushed'}: ${JSON.stringify(message.slice(0, 300))}`,
  );
  if (isPulled) {
    if (!tryGit(fleet, machine, folder, 'pull', '-q', '--no-rebase', '--no-edit', clone, 'main'))
      tryGit(fleet, machine, folder, 'merge', '--abort');
    const other = fleet.machines.find((one) => one !== machine);
    if (other !== undefined) {
      const word = ledger.newToken();
      const command = writeCommand({ title: `meanwhile ${word}`, body: bodyOf(word), project: 'p' });
      await performStep(fleet, other, { command, brings: [{ token: word, kind: 'body' }], takes: [] });
      await syncStep(fleet, other);
    }
  } else tryGit(fleet, undefined, clone, 'push', '-q', 'origin', 'main');
  rmSync(clone, { recursive: true, force: true });
  const word = ledger.newToken();
  const command = writeCommand({ title: `besides ${word}`, body: bodyOf(word), project: 'p' });
  if (random.chance(0.5))
    await performStep(fleet, machine, { command, brings: [{ token: word, kind: 'body' }], takes: [] });
  await syncStep(fleet, machine);
  await adoptStep(fleet, machine);
  mustBeUntouched(fleet, machine, before, localFiles(machine));
  const [strange] = findStrangeRefs(fleet);
  if (strange !== undefined) fleet.fail(strange);
  mustNotLeak(fleet);
};

const mustBeUntouched = (
  fleet: Fleet,
  machine: Machine,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): void => {
  for (const [path, text] of before) {
    if (after.get(path) !== text)
      fleet.fail(
        `${machine.name} a stranger's commit ${after.has(path) ? 'changed' : 'removed'} the machine-local ${path}`,
      );
  }
};

/** Works on copies, so that the other machines don't suffer from what this one does with a replaced remote. */
export const hostilePurgeStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  if (!fleet.isReachable) return;
  await syncStep(fleet, machine);
  await syncStep(fleet, machine);
  await adoptStep(fleet, machine);
  await machine.memory.finish();
  if (localFiles(machine).size === 0) {
    const token = fleet.ledger.newToken();
    const command = writeCommand({ title: 'kept here', body: bodyOf(token), project: 'p', scope: 'machine-local' });
    await performStep(fleet, machine, { command, brings: [{ token, kind: 'body' }], takes: [] });
    await machine.memory.finish();
  }
  const folder = join(fleet.folder, `purged-${fleet.step}`);
  const remote = join(folder, 'remote.git');
  const home = join(folder, machine.name);
  cpSync(fleet.remote, remote, { recursive: true });
  cpSync(machine.home, home, { recursive: true });
  const nowMs = () => fleet.clockMs + machine.skewMs;
  const memory = new Memory({ home, machine: machine.name, user: 'self' }, { nowMs });
  const copy: Machine = { ...machine, home, memory };
  try {
    await setRemote(memory, remote);
    await syncStore(memory);
    await memory.finish();
    // A store whose notes are all machine-local has published nothing that could be replaced.
    if (personsGit(remote, 'branch', '--list', 'main') === '') return;
    const target = random.pick(noteFiles(copy).filter(({ journal }) => journal === 'local'));
    const before = localFiles(copy);
    const told = replaceHistory(fleet, remote, target.id, textOf(fleet, target.path));
    fleet.log(machine, `on copies, a stranger replaces the history, with a forged purge of ${told}`);
    for (let round = 0; round < 2; round += 1) {
      const { outcome, detail } = await syncStore(memory).catch((error: unknown) =>
        fleet.fail(`${machine.name} sync after a forged purge failed: ${String(error)}`),
      );
      fleet.log(machine, `on copies, sync → ${outcome} ${detail}`);
    }
    mustBeUntouched(fleet, copy, before, localFiles(copy));
  } finally {
    await memory.finish();
    if (process.env['KEEP'] === undefined) rmSync(folder, { recursive: true, force: true });
  }
};

/** Undefined half of the time; otherwise a token of the note, or a letter that every text has. */
const textOf = ({ random }: Fleet, path: string): string | undefined => {
  if (random.chance(0.5)) return undefined;
  const text = readFileSync(path, 'utf8');
  const parsed = parseNoteFile(Buffer.from(text), 'local', `semantic/x/${path.slice(-29)}`);
  return [...tokensIn(parsed.ok ? parsed.file.note.body : text)][0] ?? 'e';
};

/** Rewrites the newest commit and puts on top of it a purge that names whatever the stranger likes. */
const replaceHistory = ({ clockMs }: Fleet, remote: string, note: string, text: string | undefined): string => {
  const git = (...args: string[]): string => personsGit(remote, ...args).trim();
  const commitTree = (tree: string, parents: readonly string[], message: string): string =>
    execFileSync(
      'git',
      [
        ...['-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit-tree', tree],
        ...parents.flatMap((id) => ['-p', id]),
      ],
      { cwd: remote, input: message, encoding: 'utf8' },
    ).trim();
  const tree = git('rev-parse', 'main^{tree}');
  const parents = git('log', '-1', '--format=%P', 'main').split(' ').filter(Boolean);
  const rewritten = commitTree(tree, parents, `${git('log', '-1', '--format=%B', 'main')}\n`);
  const purge = newUlid(clockMs);
  const notes = text === undefined ? [note] : [];
  const event = makeEvent({ id: purge, kind: 'notes.purged', at: formatTime(clockMs), machine: 'box9', notes });
  git('update-ref', 'refs/heads/main', commitTree(tree, [rewritten], formatMessage(event)));
  return text === undefined ? `note ${note}` : `the text ${text}`;
};
