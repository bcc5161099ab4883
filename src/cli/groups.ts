/** All subcommands, grouped as in the help. They only describe themselves: each action loads what it needs. */
import type { Command } from 'commander';
import { firstSteps } from '../app/first-steps.js';
import { captureCommand, hookCommand } from './agents/agents.js';
import { reviewCommand } from './agents/review.js';
import { serveCommand } from './agents/serve.js';
import { workCommand } from './agents/work.js';
import { evalCommand } from './eval/eval.js';
import { diffCommand } from './history/diff.js';
import { historyCommand, logCommand } from './history/log.js';
import { statsCommand } from './history/stats.js';
import { traceCommand } from './history/trace.js';
import { undoCommand } from './history/undo.js';
import { conflictsCommand, resolveCommand } from './machines/conflicts.js';
import { fleetCommand } from './machines/fleet.js';
import { purgeCommand } from './machines/purge.js';
import { remoteCommand, syncCommand } from './machines/sync.js';
import { adoptCommand } from './notes/adopt.js';
import { editCommand } from './notes/edit.js';
import { forgetCommand, restoreCommand } from './notes/forget.js';
import { importCommand } from './notes/import.js';
import { injectCommand, recallCommand } from './notes/inject.js';
import { listCommand } from './notes/list.js';
import { moveCommand } from './notes/move.js';
import { projectsCommand } from './notes/projects.js';
import { searchCommand } from './notes/search.js';
import { showCommand } from './notes/show.js';
import { similarCommand } from './notes/similar.js';
import { supersedeCommand } from './notes/supersede.js';
import { tagCommand, untagCommand } from './notes/tag.js';
import { tagsCommand } from './notes/tags.js';
import { writeCommand } from './notes/write.js';
import { isTerminal } from './output.js';
import { completionCommand } from './setup/completion.js';
import { configCommand } from './setup/config.js';
import { doctorCommand } from './setup/doctor.js';
import { initCommand } from './setup/init.js';
import { modelCommand } from './setup/model.js';
import { projectCommand } from './setup/project.js';
import { uninstallCommand } from './setup/uninstall.js';
import { backupCommand, restoreBackupCommand } from './store/backup.js';
import { compactCommand } from './store/compact.js';
import { initStoreCommand } from './store/init-store.js';
import { replayCommand } from './store/replay.js';
import { statusCommand } from './store/status.js';
import { verifyCommand } from './store/verify.js';

export const groups = (): readonly (readonly [string, readonly Command[]])[] => [
  [
    'Setup:',
    [
      initCommand(firstSteps(() => isTerminal('stdin'))),
      uninstallCommand(),
      configCommand(),
      projectCommand(),
      modelCommand(),
      doctorCommand(),
      completionCommand(),
    ],
  ],
  [
    'Notes:',
    [
      writeCommand(),
      editCommand(),
      showCommand(),
      listCommand(),
      projectsCommand(),
      tagsCommand(),
      searchCommand(),
      similarCommand(),
      recallCommand(),
      injectCommand(),
    ],
  ],
  ['Agents:', [captureCommand(), reviewCommand(), workCommand(), hookCommand(), serveCommand()]],
  [
    'Changes:',
    [
      supersedeCommand(),
      forgetCommand(),
      restoreCommand(),
      undoCommand(),
      tagCommand(),
      untagCommand(),
      moveCommand(),
      adoptCommand(),
      importCommand(),
    ],
  ],
  ['Machines:', [syncCommand(), remoteCommand(), conflictsCommand(), resolveCommand(), fleetCommand()]],
  ['History:', [logCommand(), historyCommand(), diffCommand(), statsCommand(), traceCommand()]],
  [
    'Store:',
    [
      initStoreCommand(),
      statusCommand(),
      verifyCommand(),
      replayCommand(),
      backupCommand(),
      restoreBackupCommand(),
      compactCommand(),
      purgeCommand(),
      evalCommand(),
    ],
  ],
];
