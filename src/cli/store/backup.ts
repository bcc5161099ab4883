/** anamnesis backup and restore-backup: write the store to one file, and back. */
import type { Command } from 'commander';
import type { BackupDone, RestoreDone } from '../../answers/backup-schema.js';
import { readSettings } from '../../config/settings.js';
import { backUp } from '../../maintenance/backup/backing-up.js';
import { restoreBackup } from '../../maintenance/backup/restoring-backup.js';
import type { JsonOption } from '../answer.js';
import { refused } from '../errors.js';
import { localTime } from '../local-time.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
import { formatPairs } from '../table.js';

type BackupOptions = JsonOption & {
  readonly force?: true;
  readonly portableOnly?: true;
  readonly withSecrets?: true;
};

type RestoreOptions = JsonOption & { readonly withSettings?: true };

export const backupCommand = (): Command =>
  subcommand('backup', 'Write all notes, their history and the settings to one file', [
    'backup ~/anamnesis-2026-06-24.tar',
    'backup /mnt/usb/anamnesis.tar --force',
    'backup shared.tar --portable-only',
  ])
    .argument('<file>', 'tar archive to write, readable only by you')
    .option('--force', 'replace an existing file')
    .option('--portable-only', 'leave out machine-local notes')
    .option('--with-secrets', 'include the secret keys of config.json')
    .action(async (file: string, { force, portableOnly, withSecrets, json }: BackupOptions) => {
      await withApp(async (app) => {
        const answer = await backUp(await app.whole(), { file, force, portableOnly, withSecrets }, Date.now());
        if (answer.status === 'refused') throw refused(answer.refusal);
        if (json === true) printJson(answer);
        else printBackup(answer);
        const unrecorded = answer.not_recorded.length;
        if (unrecorded > 0)
          say(`warning: ${counted(unrecorded, 'file')} not recorded, and not in the backup: anamnesis status says why`);
      });
    });

export const restoreBackupCommand = (): Command =>
  subcommand('restore-backup', 'Fill an empty store from a backup', [
    'restore-backup ~/anamnesis-2026-06-24.tar',
    'restore-backup anamnesis.tar --json',
  ])
    .argument('<file>', 'file that anamnesis backup wrote')
    .option('--with-settings', 'also restore settings that decide where notes go or what needs no consent')
    .action(async (file: string, { json, withSettings }: RestoreOptions) => {
      await withApp(async (app) => {
        const answer = await restoreBackup(await app.whole(), { file, withSettings });
        if (answer.status === 'refused') throw refused(answer.refusal);
        if (json === true) printJson(answer);
        else printRestored(answer);
        if (answer.config === 'kept') {
          say('warning: config.json has other settings than the backup and was left as it is');
        }
        for (const { key, value } of answer.not_taken.slice(0, maxNamed)) {
          say(`warning: the setting ${key} of the backup was not restored: ${value}`);
        }
        if (answer.not_taken.length > 0) {
          say('restore them with: anamnesis restore-backup FILE --with-settings, or one with: anamnesis config set');
        }
        for (const key of answer.manifest.left_out.slice(0, maxNamed)) {
          say(`warning: ${key} is a secret that the backup does not contain: anamnesis config set ${key} -`);
        }
        if (answer.status === 'restored') sayIfNamesake(answer.manifest.machine);
      });
    });

/** Warns of another machine with the same name, which history can't tell apart. The name is in restored settings. */
const sayIfNamesake = (backedUp: string): void => {
  const { machine } = readSettings(process.env);
  if (machine !== backedUp) return;
  say(
    `this store continues as machine ${machine}; if that one stays in use, give this one another name: anamnesis config set machine_id NAME`,
  );
};

/** Limit on lines: a file from elsewhere may hold thousands. */
const maxNamed = 20;

const printBackup = ({ file, bytes, manifest }: BackupDone): void => {
  const { notes, events, refs, portable_only: portableOnly, left_out: leftOut } = manifest;
  print(`${ink('green', 'written')} ${cleanLine(file)}: ${counted(notes, 'note')}, ${counted(events, 'event')}\n`);
  print(
    formatPairs([
      ['size', `${bytes} bytes`],
      ['head', headOf(refs.memory)],
      ['local head', headOf(refs.local)],
      ['local notes', portableOnly ? 'left out' : 'included: keep the file to yourself'],
      ['settings', leftOut.length > 0 ? `without ${leftOut.join(', ')}` : 'all'],
      ['verified', 'restored in a temporary store and replayed'],
    ]),
  );
};

const printRestored = (answer: RestoreDone): void => {
  const { status, home, notes, events, manifest, compared, config, not_taken: notTaken } = answer;
  print(
    `${ink(status === 'restored' ? 'green' : 'dim', status)} ${cleanLine(home)}: ${counted(notes, 'note')}, ${counted(events, 'event')}\n`,
  );
  print(
    formatPairs([
      ['made', `${localTime(manifest.created_at)} on ${manifest.machine}`],
      ['head', headOf(manifest.refs.memory)],
      ['local head', headOf(manifest.refs.local)],
      ['local notes', manifest.portable_only ? 'not in the backup' : undefined],
      [
        'settings',
        notTaken.length === 0 || config === 'none'
          ? config
          : `${config}, without ${counted(notTaken.length, 'setting')}`,
      ],
      [
        'verified',
        compared === 'equal'
          ? 'same heads, and a replay gives the same digests'
          : 'same heads; digests are of another version and were not compared',
      ],
    ]),
  );
};

const headOf = (refs: BackupDone['manifest']['refs']['memory']): string =>
  refs.find(({ name }) => name === 'refs/heads/main')?.id ?? 'no events';
