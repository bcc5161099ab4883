/** All checks, in the order in which they are printed and repaired: prerequisites come first. */
import { spoolCheck, workerCheck } from './agents.js';
import { captureCheck, modelsCheck } from './capture.js';
import type { Check } from './check.js';
import { claudeSettingsCheck } from './claude-settings.js';
import { configCheck } from './config-check.js';
import { agentStateCheck, stateCheck, writeLockCheck } from './databases.js';
import { diskCheck, gitCheck, homeCheck, sqliteCheck } from './environment.js';
import { folderCheck, modesCheck } from './folder.js';
import { handEditsCheck } from './hand-edits.js';
import { indexCheck } from './index-check.js';
import { gitLocksCheck, journalsCheck, notesCheck } from './journals.js';
import { objectsCheck } from './objects.js';
import { projectCheck } from './project.js';
import { purgeCheck } from './purge.js';
import { registrationCheck } from './registration.js';
import { clockCheck, remoteCheck } from './remote.js';
import { searchModelCheck } from './search-model.js';

export const checks: readonly Check[] = [
  sqliteCheck,
  homeCheck,
  gitCheck,
  diskCheck,
  folderCheck,
  modesCheck,
  configCheck,
  journalsCheck,
  gitLocksCheck,
  objectsCheck,
  notesCheck,
  stateCheck,
  writeLockCheck,
  handEditsCheck,
  purgeCheck,
  indexCheck,
  searchModelCheck,
  remoteCheck,
  clockCheck,
  registrationCheck,
  claudeSettingsCheck,
  agentStateCheck,
  spoolCheck,
  workerCheck,
  captureCheck,
  modelsCheck,
  projectCheck,
];
