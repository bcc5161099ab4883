/** All subcommands, grouped as in the help. A command's file is loaded only when it runs, or to describe all of them. */
import type { Command } from 'commander';
import { firstSteps } from '../app/intake.js';
import { subcommand } from './options.js';
import { isTerminal } from './output.js';

type Loaders = Readonly<Record<string, () => Promise<Command>>>;

const groups: Readonly<Record<string, Loaders>> = {
  'Setup:': {
    init: async () => (await import('./setup/init.js')).initCommand(firstSteps(() => isTerminal('stdin'))),
    uninstall: async () => (await import('./setup/uninstall.js')).uninstallCommand(),
    config: async () => (await import('./setup/config.js')).configCommand(),
    project: async () => (await import('./setup/project.js')).projectCommand(),
    model: async () => (await import('./setup/model.js')).modelCommand(),
    doctor: async () => (await import('./setup/doctor.js')).doctorCommand(),
    completion: async () => (await import('./setup/completion.js')).completionCommand(),
  },
  'Notes:': {
    write: async () => (await import('./notes/write.js')).writeCommand(),
    edit: async () => (await import('./notes/edit.js')).editCommand(),
    show: async () => (await import('./notes/show.js')).showCommand(),
    list: async () => (await import('./notes/list.js')).listCommand(),
    projects: async () => (await import('./notes/list.js')).projectsCommand(),
    tags: async () => (await import('./notes/list.js')).tagsCommand(),
    search: async () => (await import('./notes/search.js')).searchCommand(),
    similar: async () => (await import('./notes/search.js')).similarCommand(),
    recall: async () => (await import('./notes/inject.js')).recallCommand(),
    inject: async () => (await import('./notes/inject.js')).injectCommand(),
  },
  'Agents:': {
    capture: async () => (await import('./agents/agents.js')).captureCommand(),
    review: async () => (await import('./agents/review.js')).reviewCommand(),
    work: async () => (await import('./agents/agents.js')).workCommand(),
    hook: async () => (await import('./agents/agents.js')).hookCommand(),
    serve: async () => (await import('./agents/agents.js')).serveCommand(),
  },
  'Changes:': {
    supersede: async () => (await import('./notes/supersede.js')).supersedeCommand(),
    forget: async () => (await import('./notes/forget.js')).forgetCommand(),
    restore: async () => (await import('./notes/forget.js')).restoreCommand(),
    undo: async () => (await import('./history/undo.js')).undoCommand(),
    tag: async () => (await import('./notes/tag.js')).tagCommand(),
    untag: async () => (await import('./notes/tag.js')).untagCommand(),
    move: async () => (await import('./notes/tag.js')).moveCommand(),
    adopt: async () => (await import('./notes/adopt.js')).adoptCommand(subcommand),
    import: async () => (await import('./notes/import.js')).importCommand(),
  },
  'Machines:': {
    sync: async () => (await import('./machines/sync.js')).syncCommand(subcommand),
    remote: async () => (await import('./machines/remote.js')).remoteCommand(),
    conflicts: async () => (await import('./machines/conflicts.js')).conflictsCommand(),
    resolve: async () => (await import('./machines/conflicts.js')).resolveCommand(),
    fleet: async () => (await import('./machines/remote.js')).fleetCommand(),
  },
  'History:': {
    log: async () => (await import('./history/log.js')).logCommand(),
    history: async () => (await import('./history/log.js')).historyCommand(),
    diff: async () => (await import('./history/diff.js')).diffCommand(),
    stats: async () => (await import('./history/stats.js')).statsCommand(),
    trace: async () => (await import('./history/trace.js')).traceCommand(),
  },
  'Store:': {
    'init-store': async () => (await import('./store/maintain.js')).initStoreCommand(),
    status: async () => (await import('./store/status.js')).statusCommand(subcommand),
    verify: async () => (await import('./store/maintain.js')).verifyCommand(),
    replay: async () => (await import('./store/replay.js')).replayCommand(subcommand),
    backup: async () => (await import('./store/backup.js')).backupCommand(),
    'restore-backup': async () => (await import('./store/backup.js')).restoreBackupCommand(),
    compact: async () => (await import('./store/maintain.js')).compactCommand(),
    purge: async () => (await import('./machines/purge.js')).purgeCommand(),
    eval: async () => (await import('./eval/eval.js')).evalCommand(),
  },
};

/** Other names of commands, as their files give them. */
const aliases: Readonly<Record<string, string>> = {
  add: 'write',
  remember: 'write',
  find: 'search',
  rm: 'forget',
  delete: 'forget',
  reindex: 'replay',
};

export type Group = readonly [heading: string, commands: readonly Command[]];

/** Returns the group of the one command that the name means, or all groups if they are needed. */
export const loadGroups = async (name: string | undefined): Promise<readonly Group[]> => {
  const only = name === undefined ? undefined : (aliases[name] ?? name);
  // A completion script has all commands.
  const isOne = only !== 'completion' && Object.values(groups).some((loaders) => Object.hasOwn(loaders, only ?? ''));
  const loading = Object.entries(groups).map(async ([heading, loaders]): Promise<Group> => {
    const wanted = Object.entries(loaders).filter(([one]) => !isOne || one === only);
    return [heading, await Promise.all(wanted.map(([, load]) => load()))];
  });
  return Promise.all(loading);
};
