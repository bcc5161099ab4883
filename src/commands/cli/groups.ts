/** All subcommands, as the help groups them. They only describe: what a command needs, its action loads. */
import type { Command } from 'commander';
import { adoptCommand } from './adopt.js';
import { captureCommand, hookCommand } from './agents.js';
import { backupCommand, restoreBackupCommand } from './backup.js';
import { compactCommand } from './compact.js';
import { completionCommand } from './completion.js';
import { configCommand } from './config.js';
import { conflictsCommand, resolveCommand } from './conflicts.js';
import { diffCommand } from './diff.js';
import { doctorCommand } from './doctor.js';
import { editCommand } from './edit.js';
import { evalCommand } from './eval.js';
import { firstSteps } from './first-steps.js';
import { fleetCommand } from './fleet.js';
import { forgetCommand, restoreCommand } from './forget.js';
import { importCommand } from './import.js';
import { initCommand } from './init.js';
import { initStoreCommand } from './init-store.js';
import { injectCommand, recallCommand } from './inject.js';
import { listCommand } from './list.js';
import { historyCommand, logCommand } from './log.js';
import { moveCommand } from './move.js';
import { projectCommand } from './project.js';
import { purgeCommand } from './purge.js';
import { replayCommand } from './replay.js';
import { reviewCommand } from './review.js';
import { searchCommand } from './search.js';
import { serveCommand } from './serve.js';
import { showCommand } from './show.js';
import { statusCommand } from './status.js';
import { supersedeCommand } from './supersede.js';
import { remoteCommand, syncCommand } from './sync.js';
import { tagCommand, untagCommand } from './tag.js';
import { undoCommand } from './undo.js';
import { uninstallCommand } from './uninstall.js';
import { verifyCommand } from './verify.js';
import { workCommand } from './work.js';
import { writeCommand } from './write.js';

export const groups = (): readonly (readonly [string, readonly Command[]])[] => [
  [
    'Set-up:',
    [
      initCommand(firstSteps),
      uninstallCommand(),
      configCommand(),
      projectCommand(),
      doctorCommand(),
      completionCommand(),
    ],
  ],
  [
    'Notes:',
    [writeCommand(), editCommand(), showCommand(), listCommand(), searchCommand(), recallCommand(), injectCommand()],
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
  ['History:', [logCommand(), historyCommand(), diffCommand()]],
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
