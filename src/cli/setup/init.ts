/** anamnesis init: sets up this machine. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ConfigChange } from '../../config/config-file.js';
import type { FirstSteps, InitAnswer, InitPlan, InitRequest } from '../../setup/init.js';
import {
  type ClientName,
  clientNames,
  defaultServerName,
  quoteForShell,
  type Surroundings,
  serverNameForm,
} from '../../setup/surroundings.js';
import type { JsonOption } from '../answer.js';
import { cancelled, exitCodes, needTerminal, refused } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, ink, print, printJson, say } from '../output.js';
import { wrapText } from '../table.js';
import { parseClients } from './uninstall.js';

type InitOptions = JsonOption & {
  readonly yes?: true;
  readonly print?: true;
  readonly home?: string;
  readonly machineId?: string;
  readonly remote?: string;
  readonly localOnly?: true;
  readonly mcp: boolean;
  readonly hooks: boolean;
  readonly sync: boolean;
  readonly name: string;
  readonly client?: readonly ClientName[];
  readonly approveWrite?: true;
  /** Only asked for: models that may read sessions. */
  readonly judges?: string;
};

/** Whoever composes the program passes in the steps that follow the setup. */
export const initCommand = (firstSteps: FirstSteps = {}): Command =>
  subcommand('init', 'Set up this machine: store, hooks and MCP server', [
    'init',
    'init --yes',
    'init --print --client claude-code --client codex',
    'init --yes --remote git@example.com:me/memory.git',
  ])
    .option('-y, --yes', 'do not ask; use the default for every option not given')
    .option('--print', 'only show what would be written and run')
    .option('--home <folder>', 'folder of the store')
    .option('--machine-id <name>', 'name of this machine in notes and events')
    .addOption(new Option('--remote <address>', 'git remote to sync the notes with').conflicts('localOnly'))
    .option('--local-only', 'sync with no remote')
    .option('--no-mcp', 'register no MCP server')
    .option('--no-hooks', 'register no hooks')
    .option('--no-sync', 'do not sync now')
    .option('--name <name>', 'name of the MCP server', parseName, defaultServerName)
    .addOption(
      new Option('--client <name>', 'agent to register with; may be repeated (default: claude-code)')
        .choices(clientNames)
        .argParser(parseClients),
    )
    .option('--approve-write', 'let the agent write notes without asking you')
    .action(async (given: InitOptions) => {
      const { homeOf } = await import('../../config/settings.js');
      const { planInit, runInit } = await import('../../setup/init.js');
      const { homeArgsOf, readSurroundings } = await import('../../setup/machine.js');
      const surroundings = readSurroundings(process.argv[1] ?? '');
      const asks = given.yes !== true && given.print !== true;
      if (asks) needTerminal('init', 'give --yes for the defaults, or --print to see what it would do', given.json);
      const options = asks ? await askOptions(given, surroundings) : given;
      const storeHome = options.home === undefined ? homeOf(process.env) : resolve(options.home);
      const request = await requestOf(options, storeHome);
      const plan = planInit(request, surroundings, firstSteps);
      if ('code' in plan) throw refused(plan);
      if (given.print === true) {
        if (given.json === true) printJson({ printed: true, ...planJson(plan) });
        else printPlan(plan);
        return;
      }
      if (asks) await confirmPlan(plan);
      const answer = await runInit(request, surroundings, { firstSteps });
      if ('code' in answer) throw refused(answer);
      if (given.json === true) printJson({ printed: false, ...answerJson(answer) });
      else printAnswer(answer, homeArgsOf(storeHome, surroundings));
      for (const step of [answer.firstImport, answer.firstSync]) {
        if (step?.ok !== false) continue;
        process.exitCode = exitCodes.refused;
        say(`anamnesis: set up, but a first step failed: ${step.why}; anamnesis doctor says more`);
      }
    });

const parseName = (value: string): string => {
  if (!serverNameForm.test(value))
    throw new InvalidArgumentError('It must be letters, digits, `_` or `-`, at most 64.');
  return value;
};

/** Refuses values as `config set` does. */
const requestOf = async (options: InitOptions, storeHome: string): Promise<InitRequest> => {
  const { parseConfigValue } = await import('../../config/config-values.js');
  const given = [
    ['machine_id', options.machineId],
    ['remote', options.remote],
    ['approve_write', options.approveWrite === true ? 'true' : undefined],
    ['learn_judges', options.judges],
  ] as const;
  const changes = given.flatMap(([name, text]): readonly ConfigChange[] => {
    if (text === undefined) return [];
    const parsed = parseConfigValue(name, text);
    if (!parsed.ok) throw refused(parsed.refusal);
    return [{ key: parsed.key, value: parsed.value }];
  });
  return {
    storeHome,
    clients: options.client ?? ['claude-code'],
    parts: [...(options.mcp ? (['server'] as const) : []), ...(options.hooks ? (['hooks'] as const) : [])],
    name: options.name,
    changes: options.localOnly === true ? [...changes, { key: 'remote', value: undefined }] : changes,
    sync: options.sync,
  };
};

/** Asks for options that were not given on the command line. */
const askOptions = async (options: InitOptions, surroundings: Surroundings): Promise<InitOptions> => {
  const { intro, text, confirm } = await import('@clack/prompts');
  const { listConfig, parseConfigValue } = await import('../../config/config-values.js');
  const { homeOf } = await import('../../config/settings.js');
  intro('anamnesis: a memory for coding agents');
  const rows = listConfig(options.home === undefined ? homeOf(process.env) : resolve(options.home), process.env);
  const now = (key: string): string => cleanLine(String(rows.find((row) => row.key === key)?.value ?? ''));
  const check = (name: string) => (value: string | undefined) => {
    const parsed = parseConfigValue(name, value ?? '');
    return parsed.ok ? undefined : `${parsed.refusal.message}; ${parsed.refusal.next}`;
  };
  const client = options.client ?? (await askClients());
  const name = { message: 'Name of this machine', initialValue: now('machine_id'), validate: check('machine_id') };
  const machineId = options.machineId ?? answered(await text(name));
  const isAsked = options.remote === undefined && options.localOnly !== true;
  const address = {
    message: 'Git remote to sync with (empty for none)',
    initialValue: now('remote'),
    validate: (value = '') => (value.trim() === '' ? undefined : check('remote')(value.trim())),
  };
  const remote = isAsked ? answered(await text(address)).trim() : '';
  const consent = { message: 'May the agent write notes without asking you?', initialValue: false };
  const approveWrite = options.approveWrite ?? (answered(await confirm(consent)) ? (true as const) : undefined);
  const judges = rows.some(({ key, source }) => key === 'learn_judges' && source === 'default')
    ? await askForModel(Number(now('learn_daily_calls')), surroundings)
    : undefined;
  return {
    ...options,
    client,
    ...(judges === undefined ? {} : { judges }),
    ...(machineId === now('machine_id') ? {} : { machineId }),
    // The remote is offered without its secrets: accepted unchanged, it isn't written back.
    ...(remote === '' || remote === now('remote') ? {} : { remote }),
    ...(isAsked && remote === '' && now('remote') !== '' ? { localOnly: true as const } : {}),
    ...(approveWrite === undefined ? {} : { approveWrite }),
  };
};

const askClients = async (): Promise<readonly ClientName[]> => {
  const { multiselect } = await import('@clack/prompts');
  return answered(
    await multiselect({
      message: 'Which agents should use Anamnesis?',
      options: clientNames.map((value) => ({ value, label: value })),
      initialValues: ['claude-code' as const],
    }),
  );
};

/** Returns undefined if there is no `claude` to ask. */
const askForModel = async (dailyCalls: number, surroundings: Surroundings): Promise<string | undefined> => {
  const { confirm } = await import('@clack/prompts');
  const { findStartable } = await import('../../setup/machine.js');
  const { modelOffer } = await import('../../config/model-choice.js');
  if (findStartable('claude', surroundings) === undefined) return undefined;
  const message = `May claude read your sessions? Notes are made by rules without it; ${modelOffer(dailyCalls)}`;
  return answered(await confirm({ message, initialValue: false })) ? 'claude' : '';
};

const answered = <Value>(value: Value): Exclude<Value, symbol> => {
  if (!isAnswer(value)) throw cancelled('init');
  return value;
};

/** A symbol means Ctrl+C. */
const isAnswer = <Value>(value: Value): value is Exclude<Value, symbol> => typeof value !== 'symbol';

const confirmPlan = async (plan: InitPlan): Promise<void> => {
  printPlan(plan);
  print(`\n${wrapText('Files are copied into the store before they are changed; anamnesis uninstall restores them.')}`);
  const { confirm } = await import('@clack/prompts');
  if ((await confirm({ message: 'Do this?', initialValue: true })) !== true) throw cancelled('init');
};

const printPlan = ({ root, isNew, config, registrations, imports, syncs, notes }: InitPlan): void => {
  const would = (what: string, path: string): void => print(`${ink('yellow', `would ${what}`)} ${cleanLine(path)}\n`);
  if (isNew) would('create the store', root);
  if (config.changes.length > 0) would(config.exists ? 'change' : 'create', config.file);
  for (const line of describeChanges(config.shown)) print(`  ${line}\n`);
  for (const { registration } of registrations) {
    const { change, file, added, removed } = registration;
    if (change === 'none') print(`${ink('dim', 'would leave')} ${cleanLine(file)} (registered already)\n`);
    else would(change, file);
    for (const line of removed) print(`  ${ink('red', '-')} ${cleanLine(line)}\n`);
    for (const line of added) print(`  ${ink('green', '+')} ${cleanLine(line)}\n`);
  }
  if (imports) print(`${ink('yellow', 'would import')} Claude Code's own memory\n`);
  if (syncs) print(`${ink('yellow', 'would sync')} with the remote\n`);
  for (const note of notes) print(wrapText(`note: ${note}`));
};

/** `homeArgs` are those that clients get: without them, the commands printed below would mean the default store. */
const printAnswer = (answer: InitAnswer, homeArgs: readonly string[]): void => {
  const { root, isNew, config, registrations, firstImport, firstSync, notes } = answer;
  const line = (change: string, what: string): void =>
    print(`${ink(change === 'unchanged' ? 'dim' : 'green', change)} ${cleanLine(what)}\n`);
  line(isNew ? 'created' : 'unchanged', `${root} (store)`);
  if (config.changes.length > 0) line(config.exists ? 'changed' : 'created', config.file);
  for (const { change, file, client, part } of registrations) {
    const done = change === 'none' ? 'unchanged' : change === 'create' ? 'created' : 'changed';
    line(done, `${file} (${part === 'hooks' ? 'hooks' : 'MCP server'} of ${client})`);
  }
  if (firstImport?.ok === true) {
    const { imported, updated, skipped } = firstImport.result;
    line('imported', `${imported} notes of Claude Code, ${updated} updated, ${skipped} unchanged`);
  }
  if (firstSync?.ok === true) line('synced:', firstSync.result.detail);
  for (const note of notes) print(wrapText(`note: ${note}`));
  const command = (name: string): string => cleanLine(['anamnesis', name, ...homeArgs.map(quoteForShell)].join(' '));
  print(`\nCheck it with: ${command('doctor')}\nUndo it with: ${command('uninstall')}\n`);
};

const describeChanges = (changes: InitPlan['config']['shown']): readonly string[] =>
  changes.map(({ key, value }) =>
    value === undefined
      ? `${ink('red', '-')} ${key}`
      : `${ink('green', '+')} ${key}: ${cleanLine(JSON.stringify(value))}`,
  );

const planJson = (plan: InitPlan) => ({
  ...storeJson(plan),
  registrations: plan.registrations.map(({ registration }) => registration),
  first_import: plan.imports,
  first_sync: plan.syncs,
});

const answerJson = (answer: InitAnswer) => ({
  ...storeJson(answer),
  registrations: answer.registrations,
  first_import: answer.firstImport ?? null,
  first_sync: answer.firstSync ?? null,
});

const storeJson = ({ root, isNew, config, notes }: Pick<InitPlan, 'root' | 'isNew' | 'config' | 'notes'>) => ({
  store: root,
  created: isNew,
  config: { file: config.file, changes: config.shown },
  notes,
});
