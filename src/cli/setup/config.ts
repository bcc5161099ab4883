/** anamnesis config: reads and changes the settings of this machine. */
import type { Command } from 'commander';
import { valueInvalid } from '../../commands/refusals.js';
import type { ConfigRow, ConfigValue } from '../../config/config-values.js';
import { readGivenFile } from '../../files/given-file.js';
import type { JsonOption } from '../answer.js';
import { cancelled, refused } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, isTerminal, print, printJson, say, streams } from '../output.js';

export const configCommand = (): Command =>
  subcommand('config', 'Read and change the settings of this machine', [
    'config                              (the same as config list)',
    'config get recall_notes',
    'config set learn_judges claude,ollama',
    'config set provider_key - < key.txt',
    'config unset remote',
  ])
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(getCommand())
    .addCommand(setCommand())
    .addCommand(unsetCommand());

const listCommand = (): Command =>
  subcommand('list', 'Print every setting, its value and its source', ['config list', 'config list --json']).action(
    async (options: JsonOption) => {
      const { file, rows } = await readRows();
      if (options.json === true) printJson({ file, settings: rows });
      else print(`${rows.map(formatSetting).join('')}\n${ink('dim', `${file}; the environment overrides it`)}\n`);
      for (const { key, ignored } of rows) if (ignored !== null) say(describeIgnored(key, ignored));
    },
  );

const getCommand = (): Command =>
  subcommand('get', 'Print the value of one setting', ['config get recall_notes'])
    .argument('<key>', 'name of the setting')
    .action(async (key: string, options: JsonOption) => {
      const row = (await readRows()).rows.find((one) => one.key === key);
      if (row === undefined) throw refused((await values()).refuseKey(key));
      if (options.json === true) printJson(row);
      // A script gets the value alone.
      else if (isTerminal('stdout')) print(formatSetting(row));
      else if (row.value === null) say(`${key} is not set`);
      else print(`${cleanLine(formatValue(row.value))}\n`);
      if (row.ignored !== null) say(describeIgnored(key, row.ignored));
    });

const setCommand = (): Command =>
  subcommand('set', 'Set one setting in config.json', [
    'config set learn_judges claude,ollama',
    'config set provider_key - < key.txt',
  ])
    .argument('<key>', 'name of the setting')
    .argument('<value>', 'its value; - reads it from standard input')
    .action(async (key: string, value: string, options: JsonOption) => {
      const { parseConfigValue, refuseKey } = await values();
      const { isConfigName, configKeys } = await import('../../config/config-keys.js');
      if (!isConfigName(key)) throw refused(refuseKey(key));
      const isSecret = configKeys[key].kind === 'secret';
      const parsed = parseConfigValue(key, value === '-' ? await readStandardInput(key, isSecret) : value);
      if (!parsed.ok) throw refused(parsed.refusal);
      if (key === 'search_model') await needInstalled(key, String(parsed.value));
      if (isSecret && value !== '-')
        say(`warning: the value is now in your shell's history; next time: anamnesis config set ${key} -`);
      await change(key, parsed.value, options);
      if (key === 'learn_judges') await sayModels();
    });

const unsetCommand = (): Command =>
  subcommand('unset', 'Remove one setting from config.json, back to its default', ['config unset remote'])
    .argument('<key>', 'name of the setting')
    .action((key: string, options: JsonOption) => change(key, undefined, options));

const values = () => import('../../config/config-values.js');

/** A model that isn't installed would silently turn off search by meaning. */
const needInstalled = async (key: string, name: string): Promise<void> => {
  const { installedNames } = await import('../../setup/models.js');
  const { homeOf } = await import('../../config/settings.js');
  const known = installedNames(homeOf(process.env));
  if (known.includes(name)) return;
  const next =
    known.length === 0 ? 'install one: anamnesis model install FOLDER' : `the installed ones are ${known.join(', ')}`;
  throw refused({ code: 'model-unknown', message: `${key}: no model ${name} is installed`, next });
};

const sayModels = async (): Promise<void> => {
  const { describeModels } = await import('../../config/model-choice.js');
  const { homeOf, readConfig } = await import('../../config/settings.js');
  say(describeModels(readConfig(homeOf(process.env), process.env)));
};

const readRows = async (): Promise<{ readonly file: string; readonly rows: readonly ConfigRow[] }> => {
  const { listConfig } = await values();
  const { configFile } = await import('../../config/config-file.js');
  const { homeOf } = await import('../../config/settings.js');
  const home = homeOf(process.env);
  return { file: configFile(home), rows: listConfig(home, process.env) };
};

const change = async (key: string, value: ConfigValue | undefined, options: JsonOption): Promise<void> => {
  const { refuseKey } = await values();
  const { isConfigName } = await import('../../config/config-keys.js');
  const { writeConfig } = await import('../../config/config-file.js');
  const { withSetupLock } = await import('../../setup/lock.js');
  const { homeOf } = await import('../../config/settings.js');
  if (!isConfigName(key)) throw refused(refuseKey(key));
  const home = homeOf(process.env);
  const written = await withSetupLock(home, async () => writeConfig(home, [{ key, value }]));
  if ('code' in written) throw refused(written);
  const status = written.changes.length === 0 ? 'unchanged' : value === undefined ? 'unset' : 'set';
  const { rows } = await readRows();
  const row = rows.find((one) => one.key === key);
  if (options.json === true) printJson({ status, file: written.file, ...row });
  else {
    const shown = row?.value === undefined || row.value === null ? 'nothing' : formatValue(row.value);
    print(`${ink(status === 'unchanged' ? 'dim' : 'green', status)} ${key}: ${cleanLine(shown)} (${row?.source})\n`);
  }
  if (row?.source === 'environment' || row?.ignored === 'environment') {
    say(`warning: ${row.variable} is set and overrides config.json`);
  }
};

/** Reads the value; a secret typed by a person isn't shown. */
const readStandardInput = async (key: string, isSecret: boolean): Promise<string> => {
  if (!isTerminal('stdin') || !isSecret || !isTerminal('stdout')) {
    const read = readGivenFile(streams.stdin, maxValueBytes);
    if (!read.ok) throw refused(valueInvalid(key, 'a value that can be read', `standard input (${read.why})`));
    return read.bytes.toString('utf8').replace(/\r?\n$/, '');
  }
  const { isCancel, password } = await import('@clack/prompts');
  const typed = await password({ message: `Value of ${key}` });
  if (isCancel(typed)) throw cancelled('config set');
  return typed;
};

const maxValueBytes = 64 * 1024;

const formatValue = (value: ConfigValue): string => (Array.isArray(value) ? value.join(',') : String(value));

const describeIgnored = (key: string, where: 'environment' | 'config.json'): string =>
  `warning: the value of ${key} in ${where === 'environment' ? 'the environment' : where} is invalid and ignored`;

const formatSetting = ({ key, value, source, variable, help }: ConfigRow): string => {
  const shown = value === null ? 'not set' : formatValue(value);
  const from = source === 'environment' ? (variable ?? source) : source;
  return `${ink('cyan', key)}  ${cleanLine(shown)}  ${ink('dim', `(${from})`)}\n  ${cleanLine(help)}\n`;
};
