/** anamnesis model */
import { Command } from 'commander';
import type { Refusal } from '../../commands/refusals.js';
import { readSettings } from '../../config/settings.js';
import type { ListedModel } from '../../setup/models.js';
import type { JsonOption } from '../answer.js';
import { refused, wrongUsage } from '../errors.js';
import { repeatable, subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, say } from '../output.js';
import { formatPairs, formatTable } from '../table.js';

export const modelCommand = (): Command =>
  new Command('model')
    .description('Install a model that compares meanings, and choose whether search uses it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ anamnesis model install ~/models/potion-base-2M\n  $ anamnesis model use potion-base-2M\n  $ anamnesis model test\n\nWithout a subcommand: list.',
    )
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(installCommand())
    .addCommand(useCommand())
    .addCommand(testCommand())
    .addCommand(removeCommand());

const listCommand = (): Command =>
  subcommand('list', 'List the models of this machine', ['model list']).action(async ({ json }: JsonOption) => {
    const { listModels } = await useCases();
    const list = listModels(readSettings(process.env));
    if (json === true) printJson(list);
    else if (list.models.length === 0) say(`no model is installed in ${cleanLine(list.folder)}`);
    else print(formatTable(columns, list.models));
  });

type InstallOptions = JsonOption & { readonly name?: string; readonly sha256?: readonly string[] };

const installCommand = (): Command =>
  subcommand('install', 'Install a static model (Model2Vec with BERT WordPiece) from files or an address', [
    'model install ~/models/potion-base-2M',
    'model install https://example.org/potion-base-2M.bin --sha256 4b23…f72a',
  ])
    .argument(
      '<from>',
      'a folder with model.safetensors and tokenizer.json, a GGE1 file, or the address of either file',
    )
    .option('--name <name>', "what to call it here (default: the folder's or file's name)")
    .option(
      '--sha256 <hash>',
      'SHA-256 of a file of the model; from an address, of every file; may be repeated',
      repeatable,
    )
    .action(async (from: string, { name, sha256 = [], json }: InstallOptions) => {
      const wrong = sha256.find((hash) => !/^[0-9a-f]{64}$/i.test(hash));
      if (wrong !== undefined) throw wrongUsage('--sha256 takes 64 hexadecimal digits', 'give the hash in full');
      const { installModel } = await useCases();
      const installed = orStop(await installModel(readSettings(process.env), { from, name, sha256 }));
      if (json === true) return printJson(installed);
      print(`${inkStatus(installed.status)} ${installed.name}\n`);
      print(
        formatPairs([
          ['tokens', String(installed.tokens)],
          ['dimension', String(installed.dimension)],
          ['bytes', String(installed.bytes)],
          ['SHA-256', installed.sha256],
        ]),
      );
      if (!installed.in_use) say(`search does not use it yet: anamnesis model use ${installed.name}`);
    });

const useCommand = (): Command =>
  subcommand('use', 'Let search use a model, or none', ['model use potion-base-2M', 'model use none'])
    .argument('<name>', 'an installed model; none for search by words alone')
    .action(async (name: string, { json }: JsonOption) => {
      const { chooseModel } = await useCases();
      const used = orStop(await chooseModel(readSettings(process.env), name === 'none' ? undefined : name));
      if (json === true) printJson(used);
      else print(`${inkStatus(used.status)} model of search: ${used.in_use ?? 'none'}\n`);
    });

const testCommand = (): Command =>
  subcommand('test', 'Load a model, check it, and compare a question with two texts', [
    'model test',
    'model test potion-base-2M',
  ])
    .argument('[name]', 'an installed model (default: the one that search uses)')
    .action(async (given: string | undefined, { json }: JsonOption) => {
      const settings = readSettings(process.env);
      const name = given ?? settings.searchModel;
      if (name === undefined) throw wrongUsage('search uses no model', 'name one: anamnesis model test NAME');
      const { testModel } = await useCases();
      const tested = orStop(await testModel(settings, name));
      if (json === true) return printJson(tested);
      print(
        formatPairs([
          ['model', tested.name],
          ['tokens', String(tested.tokens)],
          ['dimension', String(tested.dimension)],
          ['loaded in', `${tested.load_ms} ms`],
          ['a text takes', `${tested.text_us} µs`],
        ]),
      );
      for (const { query, text, cosine } of tested.examples)
        print(`\n${cosine.toFixed(3)}  ${query}\n       ${text}\n`);
    });

const removeCommand = (): Command =>
  subcommand('remove', 'Remove a model from this machine', ['model remove potion-base-2M'])
    .argument('<name>', 'an installed model')
    .action(async (name: string, { json }: JsonOption) => {
      const { dropModel } = await useCases();
      const removed = orStop(await dropModel(readSettings(process.env), name));
      if (json === true) printJson(removed);
      else print(`${inkStatus(removed.status)} ${cleanLine(removed.name)}\n`);
      if (removed.was_in_use) say('search goes by words alone now');
    });

const useCases = () => import('../../setup/models.js');

const orStop = <Value extends object>(answer: Value | Refusal): Value => {
  if ('code' in answer && 'next' in answer) throw refused(answer);
  return answer;
};

const inkStatus = (status: string): string => ink(status === 'unchanged' ? 'dim' : 'green', status);

const shown = (value: number | null): string => (value === null ? '-' : String(value));

const columns = [
  { head: 'MODEL', of: ({ name }: ListedModel) => name, style: 'cyan' },
  { head: 'TOKENS', align: 'right', of: ({ tokens }: ListedModel) => shown(tokens) },
  { head: 'DIMENSION', align: 'right', of: ({ dimension }: ListedModel) => shown(dimension) },
  { head: 'BYTES', align: 'right', of: ({ bytes }: ListedModel) => shown(bytes) },
  {
    head: '',
    of: ({ in_use, problem }: ListedModel) =>
      [in_use ? 'in use' : '', problem ?? ''].filter((part) => part !== '').join(': '),
    cut: 'end',
    main: true,
  },
] as const;
