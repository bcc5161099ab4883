/** anamnesis model: installs models and chooses the one search uses. */
import { Command } from 'commander';
import { indexMeanings } from '../../app/measuring.js';
import { readSettings } from '../../config/settings.js';
import type { ListedModel } from '../../setup/models.js';
import type { JsonOption } from '../answer.js';
import { valueOrThrow, wrongUsage } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, ink, print, printJson, say } from '../output.js';
import { withApp } from '../session.js';
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
    .addCommand(indexCommand())
    .addCommand(testCommand())
    .addCommand(removeCommand());

const listCommand = (): Command =>
  subcommand('list', 'List the models of this machine', ['model list']).action(async ({ json }: JsonOption) => {
    const { listModels } = await useCases();
    const list = listModels(readSettings(process.env));
    if (json === true) printJson(list);
    else if (list.models.length === 0 && list.endpoint === undefined)
      say(
        `no model is installed in ${cleanLine(list.folder)}, so search uses words alone; anamnesis model install FOLDER installs one such as https://huggingface.co/minishlab/potion-base-2M (docs/operations.md says how)`,
      );
    else print(formatTable(columns, list.models));
    if (json !== true && list.endpoint !== undefined)
      say(`search asks ${cleanLine(list.endpoint.model)} at ${cleanLine(list.endpoint.url)}`);
  });

type InstallOptions = JsonOption & { readonly name?: string };

const installCommand = (): Command =>
  subcommand('install', 'Install a model from its published files', [
    'model install ~/models/potion-base-2M',
    'model install ~/models/all-MiniLM-L6-v2',
  ])
    .argument(
      '<from>',
      'a folder with model.safetensors and tokenizer.json (Model2Vec), or a GGE1 file; or a folder with tokenizer.json and onnx/model.onnx, or that file',
    )
    .option('--name <name>', "what to call it here (default: the folder's or file's name)")
    .action(async (from: string, { name, json }: InstallOptions) => {
      const { installModel } = await useCases();
      const installed = valueOrThrow(await installModel(readSettings(process.env), { from, name }));
      if (json === true) return printJson(installed);
      print(`${inkStatus(installed.status)} ${installed.name}\n`);
      print(
        formatPairs([
          ['tokens', installed.tokens === null ? undefined : String(installed.tokens)],
          ['dimension', installed.dimension === null ? undefined : String(installed.dimension)],
          ['bytes', String(installed.bytes)],
          ['SHA-256', installed.sha256],
        ]),
      );
      if (installed.problem !== null) say(installed.problem);
      if (!installed.in_use) say(`search does not use it yet: anamnesis model use ${installed.name}`);
    });

type UseOptions = JsonOption & {
  readonly endpoint?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
};

const useCommand = (): Command =>
  subcommand('use', 'Let search use a model, a server, or none', [
    'model use potion-base-2M',
    'model use none',
    'model use --endpoint http://nas:11434/api/embed --model bge-m3',
    'model use --endpoint URL --model NAME --api-key-env EXAMPLE_KEY',
  ])
    .argument('[name]', 'an installed model; none for search by words alone')
    .option('--endpoint <url>', 'an OpenAI-compatible server (…/v1) or an Ollama (…/api/embed) instead of a model')
    .option('--model <name>', 'model at that server')
    .option('--api-key-env <variable>', 'environment variable that holds the key for it')
    .action(async (name: string | undefined, { endpoint, model, apiKeyEnv, json }: UseOptions) => {
      const { chooseModel, chooseServer } = await useCases();
      const settings = readSettings(process.env);
      if (endpoint === undefined) {
        if (name === undefined || model !== undefined || apiKeyEnv !== undefined)
          throw wrongUsage('name an installed model, none, or --endpoint with --model', 'see: anamnesis model list');
        const used = valueOrThrow(await chooseModel(settings, name === 'none' ? undefined : name));
        if (json === true) printJson(used);
        else print(`${inkStatus(used.status)} model of search: ${used.in_use ?? 'none'}\n`);
        return;
      }
      if (name !== undefined || model === undefined)
        throw wrongUsage(
          '--endpoint takes --model, and no installed model',
          'name the model at that server: --model NAME',
        );
      const used = valueOrThrow(await chooseServer(settings, { url: endpoint, model, keyVariable: apiKeyEnv }));
      if (json === true) return printJson(used);
      print(
        `${inkStatus(used.status)} server of search: ${cleanLine(model)} at ${cleanLine(new URL(endpoint).host)}\n`,
      );
      say(whatIsSent);
    });

/** Printed when a server is chosen; doctor repeats it. */
const whatIsSent =
  'it receives the texts of portable notes that are not sensitive, and search queries: anamnesis model index sends them now, the background worker later';

const indexCommand = (): Command =>
  subcommand('index', 'Compute the vectors of all notes for the model in use, as a semantic search does when needed', [
    'model index',
    'model index --again',
  ])
    .option('--again', 'compute all of them anew')
    .action(async ({ json, again }: JsonOption & { readonly again?: boolean }) => {
      await withApp(async (app) => {
        const indexed = await indexMeanings(await app.whole(), again === true);
        if (json === true) return printJson(indexed);
        const { model, notes, made, ms } = indexed;
        print(`${counted(notes, 'note')} with vectors of ${model}, ${made} of them made now, in ${ms} ms\n`);
      });
    });

const testCommand = (): Command =>
  subcommand('test', 'Load a model, check it, and compare a question with two texts', [
    'model test',
    'model test potion-base-2M',
  ])
    .argument('[name]', 'an installed model (default: the one that search uses, or the only one)')
    .action(async (given: string | undefined, { json }: JsonOption) => {
      const settings = readSettings(process.env);
      const { installedNames, testModel } = await useCases();
      const inUse = given ?? settings.searchModel;
      const asksServer = inUse === undefined && settings.embedding !== undefined;
      const name = asksServer ? undefined : (inUse ?? onlyOf(installedNames(settings.home)));
      const tested = valueOrThrow(await testModel(settings, name));
      if (json === true) return printJson(tested);
      print(
        formatPairs([
          ['model', tested.name],
          ['tokens', tested.tokens === null ? undefined : String(tested.tokens)],
          ['dimension', tested.dimension === null ? undefined : String(tested.dimension)],
          ['loaded in', `${tested.load_ms} ms`],
          ['a text takes', `${tested.text_us} µs`],
        ]),
      );
      for (const { query, text, cosine } of tested.examples)
        print(`\n${cosine.toFixed(3)}  ${query}\n       ${text}\n`);
    });

const onlyOf = (installed: readonly string[]): string => {
  const [only, ...others] = installed;
  if (only === undefined) throw wrongUsage('no model is installed', 'install one: anamnesis model install FOLDER');
  if (others.length > 0)
    throw wrongUsage('search uses no model', `name one: anamnesis model test ${installed.join('|')}`);
  return only;
};

const removeCommand = (): Command =>
  subcommand('remove', 'Remove a model from this machine', ['model remove potion-base-2M'])
    .argument('<name>', 'an installed model')
    .action(async (name: string, { json }: JsonOption) => {
      const { dropModel } = await useCases();
      const removed = valueOrThrow(await dropModel(readSettings(process.env), name));
      if (json === true) printJson(removed);
      else print(`${inkStatus(removed.status)} ${cleanLine(removed.name)}\n`);
      if (removed.was_in_use) say('search no longer uses it');
    });

const useCases = () => import('../../setup/models.js');

const inkStatus = (status: string): string => ink(status === 'unchanged' ? 'dim' : 'green', status);

const shown = (value: number | null): string => (value === null ? '-' : String(value));

const columns = [
  { head: 'MODEL', of: ({ name }: ListedModel) => name, style: 'cyan' },
  { head: 'KIND', of: ({ kind }: ListedModel) => kind },
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
