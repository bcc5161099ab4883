/** anamnesis uninstall: removes what init registered. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ClientName, clientNames } from '../../setup/surroundings.js';
import type { Removal } from '../../setup/unregister.js';
import type { JsonOption } from '../answer.js';
import { cancelled, needTerminal, refused } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson } from '../output.js';
import { wrapText } from '../table.js';

type UninstallOptions = JsonOption & {
  readonly print?: true;
  readonly yes?: true;
  readonly home?: string;
  readonly client?: readonly ClientName[];
};

export const uninstallCommand = (): Command =>
  subcommand('uninstall', 'Remove what init registered; your notes stay', [
    'uninstall --print',
    'uninstall --yes',
    'uninstall --client codex --yes',
  ])
    .option('--print', 'only show what would be removed')
    .option('-y, --yes', 'do not ask')
    .option('--home <folder>', 'folder of the store')
    .addOption(
      new Option('--client <name>', 'only from this client; may be repeated (default: all)')
        .choices(clientNames)
        .argParser(parseClients),
    )
    .action(async (options: UninstallOptions) => {
      const { homeOf } = await import('../../config/settings.js');
      const { planUninstall, runUninstall } = await import('../../setup/unregister.js');
      const { readSurroundings } = await import('../../setup/machine.js');
      const surroundings = readSurroundings(process.argv[1] ?? '');
      const storeHome = options.home === undefined ? homeOf(process.env) : resolve(options.home);
      const request = { storeHome, clients: options.client ?? clientNames };
      const planned = planUninstall(request, surroundings);
      if ('code' in planned) throw refused(planned);
      if (options.print === true) {
        printRemovals(planned, storeHome, options, 'would');
        return;
      }
      if (planned.length > 0 && options.yes !== true) await confirm(planned, storeHome, options);
      const done = await runUninstall(request, surroundings);
      if ('code' in done) throw refused(done);
      printRemovals(done, storeHome, options, 'did');
    });

/** commander's own check of choices can't collect a list. */
export const parseClients = (value: string, before: readonly ClientName[] | undefined): readonly ClientName[] => {
  const client = clientNames.find((name) => name === value);
  if (client === undefined) throw new InvalidArgumentError(`Allowed choices are ${clientNames.join(', ')}.`);
  return before?.includes(client) === true ? before : [...(before ?? []), client];
};

const confirm = async (planned: readonly Removal[], storeHome: string, options: UninstallOptions): Promise<void> => {
  needTerminal('uninstall', 'give --yes, or --print to see what it would do', options.json);
  printRemovals(planned, storeHome, options, 'would');
  const { confirm: ask } = await import('@clack/prompts');
  if ((await ask({ message: 'Remove this?', initialValue: true })) !== true) throw cancelled('uninstall');
};

const words = {
  restore: ['would restore', 'restored'],
  remove: ['would remove', 'removed'],
  edit: ['would remove our entries from', 'removed our entries from'],
  none: ['would leave alone', 'left alone'],
} as const;

const printRemovals = (
  removals: readonly Removal[],
  storeHome: string,
  { json }: JsonOption,
  tense: 'would' | 'did',
): void => {
  if (json === true) {
    printJson({ printed: tense === 'would', store: storeHome, removals });
    return;
  }
  for (const { change, file, client, removed } of removals) {
    const [future, past] = words[change];
    const verb = tense === 'would' ? ink('yellow', future) : ink('green', past);
    print(`${verb} ${cleanLine(file)} (${client})\n`);
    if (tense === 'did') continue;
    for (const line of removed) print(`  ${ink('red', '-')} ${cleanLine(line)}\n`);
  }
  if (removals.length === 0) print('nothing is registered\n');
  if (existsSync(storeHome)) {
    print(wrapText(`Your notes stay in ${storeHome}; to delete them for good, remove that folder.`));
  }
};
