/** The steps of `init` after this machine is set up. */
import { homedir } from 'node:os';
import { claudeHomeOf, readConfig } from '../../config/settings.js';
import type { FirstSteps } from '../../setup/init.js';
import { isTerminal } from '../output.js';

export const firstSteps: FirstSteps = {
  async firstImport(memory) {
    const { importNative } = await import('../../import/importing-native.js');
    const { answer } = await importNative(memory, {
      claudeHome: claudeHomeOf(process.env),
      userHome: homedir(),
      claudeMd: readConfig(memory.settings.home, process.env).importClaudeMd,
    });
    if (answer.status === 'refused') throw new Error(answer.refusal.message);
    return answer.counts ?? { imported: 0, updated: 0, skipped: 0 };
  },
  async firstSync(memory) {
    const { findRemote, setRemote } = await import('../../sync/remote.js');
    const { syncStore } = await import('../../sync/syncing.js');
    const remote = findRemote(memory);
    if (remote !== undefined && 'url' in remote && remote.source === 'config.json') await setRemote(memory, remote.url);
    const { trouble, detail } = await syncStore(memory, { interactive: isTerminal('stdin') });
    if (trouble !== null) throw new Error(`${detail}; ${trouble.next}`);
    return { detail };
  },
};
