/** The steps of `init` after machine setup: importing into the new store and syncing it. */
import { claudeHomeOf, readConfig, userHome } from '../config/settings.js';
import type { FirstSteps } from '../setup/init.js';

/** `isAsked` tells whether a person at a terminal may be asked for a passphrase. */
export const firstSteps = (isAsked: () => boolean): FirstSteps => ({
  async firstImport(memory) {
    const { importNative } = await import('../import/importing-native.js');
    const { answer } = await importNative(memory, {
      claudeHome: claudeHomeOf(process.env),
      userHome: userHome(),
      claudeMd: readConfig(memory.settings.home, process.env).importClaudeMd,
    });
    if (answer.status === 'refused') throw new Error(answer.refusal.message);
    const { imported = 0, updated = 0, skipped = 0 } = answer.counts ?? {};
    return { imported, updated, skipped };
  },
  async firstSync(memory) {
    const { findRemote, setRemote } = await import('../sync/remote.js');
    const { syncStore } = await import('../sync/syncing.js');
    const remote = findRemote(memory);
    if (remote !== undefined && 'url' in remote && remote.source === 'config.json') await setRemote(memory, remote.url);
    const { trouble, detail } = await syncStore(memory, { interactive: isAsked() });
    if (trouble !== null) throw new Error(`${detail}; ${trouble.next}`);
    return { detail };
  },
});
