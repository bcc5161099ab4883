/** A person who commits by hand and rewrites the commit before the next command sees it. */
import { existsSync, readFileSync } from 'node:fs';
import { type Fleet, type FoundNote, type Machine, noteFiles } from './machines-fleet.js';
import { tryGit } from './machines-hand.js';
import { noteRewritten, quietFolder, somethingSmall } from './machines-history.js';
import { syncStep } from './machines-sync.js';
import { typeLine } from './machines-unfinished.js';

/** `git revert` of a commit: the line stays out. */
export const takenBackStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random, ledger } = fleet;
  if (fleet.isReachable && random.chance(0.5)) await syncStep(fleet, machine);
  const folder = await quietFolder(fleet, machine);
  const file = pickFile(fleet, machine);
  if (folder === undefined || file === undefined) return;
  const token = typeLine(fleet, machine, file);
  const done =
    tryGit(fleet, machine, folder, 'commit', '-qm', 'mine', '--', file.path) &&
    tryGit(fleet, machine, folder, 'revert', '--no-edit', 'HEAD');
  fleet.log(machine, `a person reverted ${token}: ${done ? 'done' : 'git refused'}`);
  if (!done) return;
  ledger.takeOut([token]);
  await somethingSmall(fleet, machine, file.id);
  if (existsSync(file.path) && readFileSync(file.path, 'utf8').includes(token))
    fleet.fail(`${machine.name} ${token} was reverted with git, and a command brought it back`);
};

/** Rewords a commit below another one, as in an interactive rebase: both lines stay. */
export const rewordedStep = async (fleet: Fleet, machine: Machine): Promise<void> => {
  const { random } = fleet;
  const folder = await quietFolder(fleet, machine);
  const files = [pickFile(fleet, machine), pickFile(fleet, machine)];
  if (folder === undefined) return;
  for (const file of files) {
    if (file === undefined) return;
    typeLine(fleet, machine, file);
    if (!tryGit(fleet, machine, folder, 'commit', '-qm', 'mine', '--', file.path)) return;
  }
  if (random.chance(0.5)) await machine.memory.adopt('hold');
  if (random.chance(0.3) && fleet.isReachable) await syncStep(fleet, machine);
  noteRewritten(fleet, folder, 3);
  const done =
    tryGit(fleet, machine, folder, 'tag', 'before', 'HEAD') &&
    tryGit(fleet, machine, folder, 'reset', '-q', '--keep', 'HEAD~2') &&
    tryGit(fleet, machine, folder, 'cherry-pick', 'before~1') &&
    tryGit(fleet, machine, folder, 'commit', '-q', '--amend', '-m', 'reworded') &&
    tryGit(fleet, machine, folder, 'cherry-pick', 'before');
  if (!done) {
    tryGit(fleet, machine, folder, 'cherry-pick', '--abort');
    tryGit(fleet, machine, folder, 'reset', '-q', '--keep', 'before');
  }
  tryGit(fleet, machine, folder, 'tag', '-d', 'before');
  fleet.log(machine, `a person reworded a commit: ${done ? 'done' : 'git refused'}`);
  await somethingSmall(fleet, machine, files[0]?.id ?? '');
};

const pickFile = ({ random }: Fleet, machine: Machine): FoundNote | undefined => {
  const files = noteFiles(machine).filter(({ journal }) => journal === 'portable');
  return files.length === 0 ? undefined : random.pick(files);
};
