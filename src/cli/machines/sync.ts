/** anamnesis sync and remote: exchange notes with other machines. */
import { Command, Option } from 'commander';
import type { App } from '../../app/app.js';
import type { JsonOption } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { localTime } from '../local-time.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs } from '../table.js';
import { type SyncOptions, syncNow } from './sync-now.js';

export const syncCommand = (): Command =>
  subcommand('sync', 'Exchange notes with your other machines through the remote', [
    'sync',
    'sync --json',
    'sync --accept-rewrite',
  ])
    .addOption(
      new Option('--seed', 'publish everything to a remote that was emptied or reset').conflicts([
        'acceptRewrite',
        'rejoin',
      ]),
    )
    .option('--accept-rewrite', 'take a rewritten remote, with what only this machine has on top')
    .addOption(new Option('--rejoin', 'the older name of --accept-rewrite').hideHelp())
    .option('--drop-old', 'with --accept-rewrite: keep nothing of the old history, as after a purge')
    .action((options: SyncOptions) => syncNow(options));

/** Syncs after a command that recorded something. A problem with the remote doesn't fail the command. */
export const syncAfterwards = async (sync: App['sync'], wanted: boolean): Promise<void> => {
  const answer = wanted ? await sync.afterwards() : undefined;
  if (answer !== undefined && answer.trouble !== null) say(`not synced: ${cleanLine(answer.trouble.message)}`);
};

type SharingOptions = JsonOption & { readonly shared?: boolean; readonly user?: string };

export const remoteCommand = (): Command => {
  const remote = new Command('remote')
    .description('Show, set or remove the git remote that the notes are synced with')
    .addHelpText(
      'after',
      `
An address is a path, user@host:path, ssh://host/path or https://host/path of a
git repository. Make an empty one with
  $ git init --bare --initial-branch=main PATH

Without a subcommand: show.`,
    );
  remote.addCommand(
    subcommand('show', 'Print the remote and the result of the last sync', [
      'remote show',
      'remote show --json',
    ]).action(({ json }: JsonOption) => withApp(({ sync }) => show(sync, json === true))),
    { isDefault: true },
  );
  remote.addCommand(
    subcommand('set', 'Sync with this remote from now on (fetches nothing yet)', [
      'remote set git@example.com:me/memory.git',
      'remote set ssh://always-on.tail1234.ts.net/srv/memory.git',
      'remote set /mnt/usb/memory.git',
      'remote set git@example.com:team/memory.git --shared --user anna',
    ])
      .argument('<address>', 'where the repository is')
      .option('--shared', "several people sync with it: agents are not offered the others' notes")
      .option('--user <name>', 'user that this machine writes notes for')
      .action((address: string, { json, shared = false, user }: SharingOptions) =>
        withApp(async ({ sync }) => {
          const set = answerOrThrow(await sync.setRemote(address, { shared, user }));
          if (json === true) printJson(set);
          else print(`${ink('green', 'set')} ${cleanLine(set.remote)}; to exchange notes, run: anamnesis sync\n`);
          if (process.env['ANAMNESIS_GIT_REMOTE'] !== undefined) say('ANAMNESIS_GIT_REMOTE is set and overrides it');
        }),
      ),
  );
  remote.addCommand(
    subcommand('remove', 'Stop syncing; notes stay on both sides', ['remote remove']).action(({ json }: JsonOption) =>
      withApp(async ({ sync }) => {
        const { removed } = answerOrThrow(await sync.removeRemote());
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

const show = async (sync: App['sync'], json: boolean): Promise<void> => {
  const answer = answerOrThrow(await sync.remote());
  if (json) {
    printJson(answer);
    return;
  }
  const { remote, source, last, trouble } = answer;
  if (remote === null) {
    print('no remote: notes stay on this machine. To add one: anamnesis remote set ADDRESS\n');
    return;
  }
  print(
    formatPairs([
      ['remote', remote],
      ['set by', source ?? undefined],
      ['last sync', last === null ? 'never' : `${localTime(last.at)}: ${last.detail}`],
      ['trouble', trouble === null ? undefined : `${trouble.message} (since ${localTime(trouble.since)})`],
    ]),
  );
};
