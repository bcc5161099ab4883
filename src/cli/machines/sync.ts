/** anamnesis sync and remote */
import { Command, Option } from 'commander';
import { isRefusal } from '../../files/settings-file.js';
import type { Memory } from '../../store/memory.js';
import type { SyncAnswer } from '../../sync/syncing.js';
import type { JsonOption } from '../answer.js';
import { refused } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, say } from '../output.js';
import { withMemory } from '../session.js';
import { formatPairs } from '../table.js';
import { type SyncOptions, syncNow } from './sync-now.js';

export const syncCommand = (): Command =>
  subcommand('sync', 'Exchange notes with your other machines through the remote', [
    'sync',
    'sync --json',
    'sync --rejoin',
  ])
    .addOption(new Option('--seed', 'publish everything to a remote that was emptied or set back').conflicts('rejoin'))
    .option('--rejoin', 'accept a rewritten remote and append our events to its history')
    .action((options: SyncOptions) => syncNow(options));

/** After a command that recorded something for the other machines too. What the remote does is no failure of the command. */
export const syncAfterwards = async (memory: Memory, wanted: boolean): Promise<SyncAnswer | undefined> => {
  const { readConfig } = await import('../../config/settings.js');
  const { findRemote } = await import('../../sync/remote.js');
  if (!wanted || !readConfig(memory.settings.home, process.env).sync || findRemote(memory) === undefined)
    return undefined;
  const { syncStore } = await import('../../sync/syncing.js');
  const answer = await syncStore(memory, { background: true });
  if (answer.trouble !== null) say(`not synced: ${cleanLine(answer.trouble.message)}`);
  return answer;
};

export const remoteCommand = (): Command => {
  const remote = new Command('remote')
    .description('Show, set or remove the git remote that the notes are synced with')
    .addHelpText(
      'after',
      `
An address is a path, user@host:path, ssh://host/path or https://host/path of a git repository. Make an empty one with
  $ git init --bare --initial-branch=main PATH`,
    );
  remote.addCommand(
    subcommand('show', 'Print the remote and the result of the last sync', [
      'remote show',
      'remote show --json',
    ]).action(({ json }: JsonOption) => withMemory((memory) => show(memory, json === true))),
  );
  remote.addCommand(
    subcommand('set', 'Sync with this remote from now on (fetches nothing yet)', [
      'remote set git@example.com:me/memory.git',
      'remote set ssh://always-on.tail1234.ts.net/srv/memory.git',
      'remote set /mnt/usb/memory.git',
    ])
      .argument('<address>', 'where the repository is')
      .action((address: string, { json }: JsonOption) =>
        withMemory(async (memory) => {
          const { setRemote } = await import('../../sync/remote.js');
          const set = await setRemote(memory, address);
          if (isRefusal(set)) throw refused(set);
          if (json === true) printJson({ remote: set.shown, kind: set.kind });
          else print(`${ink('green', 'set')} ${cleanLine(set.shown)}; to exchange notes, run: anamnesis sync\n`);
          if (process.env['ANAMNESIS_GIT_REMOTE'] !== undefined) say('ANAMNESIS_GIT_REMOTE is set and overrides it');
        }),
      ),
  );
  remote.addCommand(
    subcommand('remove', 'Stop syncing; notes stay on both sides', ['remote remove']).action(({ json }: JsonOption) =>
      withMemory(async (memory) => {
        const { removeRemote } = await import('../../sync/remote.js');
        const removed = await removeRemote(memory);
        if (typeof removed !== 'boolean') throw refused(removed);
        if (json === true) printJson({ removed });
        else
          print(
            removed ? `${ink('green', 'removed')} the remote; notes stay on both sides\n` : 'there was no remote\n',
          );
      }),
    ),
  );
  return remote;
};

const show = async (memory: Memory, json: boolean): Promise<void> => {
  const { findRemote } = await import('../../sync/remote.js');
  const { readLastSync, readTrouble } = await import('../../state/sync-state.js');
  const remote = findRemote(memory);
  if (remote !== undefined && isRefusal(remote)) throw refused(remote);
  const state = memory.exists() ? (await memory.store()).state : undefined;
  const last = state === undefined ? undefined : readLastSync(state);
  const trouble = state === undefined ? undefined : readTrouble(state);
  if (json) {
    printJson({
      remote: remote?.shown ?? null,
      kind: remote?.kind ?? null,
      source: remote?.source ?? null,
      last: last ?? null,
      trouble: trouble ?? null,
    });
    return;
  }
  if (remote === undefined) {
    print('no remote: notes stay on this machine. To add one: anamnesis remote set ADDRESS\n');
    return;
  }
  print(
    formatPairs([
      ['remote', remote.shown],
      ['set by', remote.source],
      ['last sync', last === undefined ? 'never' : `${last.at}: ${last.detail}`],
      ['trouble', trouble === undefined ? undefined : `${trouble.message} (since ${trouble.since})`],
    ]),
  );
};
