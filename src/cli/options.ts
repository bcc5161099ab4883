/** Options that several subcommands share, and the parsing of their values. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { NoteFilter } from '../app/notes.js';
import { type NoteType, noteTypes, type Scope, scopes } from '../events/note/note.js';
import { wrongUsage } from './errors.js';
import { readSeconds } from './typed-time.js';

/** With examples that fit into 80 columns, and `further` help; descriptions are one imperative line. */
export const subcommand = (name: string, description: string, examples: readonly string[], further = ''): Command =>
  new Command(name)
    .description(description)
    .addHelpText('after', further)
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ anamnesis ${example}`).join('\n')}`)
    .hook('preAction', (_, command) => ensurePaths(command));

/** A command that another path to it runs without commander: it gets `subcommand` passed in. */
export type Subcommand = (make: typeof subcommand) => Command;

/** Refuses an empty path, which an unset variable of the shell leaves: it would mean the current folder. */
const ensurePaths = (command: Command): void => {
  const given = [
    ...command.registeredArguments.map((argument, at) => ({
      name: argument.name(),
      isPath: /^(?:path|file|folders?|before|after|from)$/.test(argument.name()),
      value: command.processedArgs[at] as unknown,
    })),
    ...command.options.map((option) => ({
      name: option.long ?? option.flags,
      isPath: /[<[](?:file|folder|dir)[>\]]/.test(option.flags),
      value: command.getOptionValue(option.attributeName()) as unknown,
    })),
  ];
  const empty = given.find(({ isPath, value }) => isPath && [value].flat().includes(''));
  if (empty !== undefined) throw wrongUsage(`${empty.name} is an empty path`, 'name a file or a folder');
};

export const noteArgument = 'id of the note, its beginning or its end, or its title in quotes';

export const repeatable = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

export const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
};

export const parseOffset = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(text);
};

export const parseShare = (text: string): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return value;
};

/** For an edit, where `none` removes the value; commander has no null. */
export const orNone =
  <Value>(parse: (text: string) => Value) =>
  (text: string): Value | 'none' =>
    text === 'none' ? text : parse(text);

export const nullIfNone = <Value>(value: Value | 'none' | undefined): Value | null | undefined =>
  value === 'none' ? null : value;

export const typeOption = (description: string): Option => new Option('--type <type>', description).choices(noteTypes);
export const scopeOption = (description: string): Option => new Option('--scope <scope>', description).choices(scopes);

export type FilterOptions = {
  readonly project?: string;
  readonly type?: NoteType;
  readonly scope?: Scope;
  readonly tag?: readonly string[];
  readonly machine?: string;
  readonly agent?: string;
  readonly after?: string;
  readonly before?: string;
  readonly user?: string;
  readonly workspace?: string;
};

export const addFilterOptions = (command: Command): Command =>
  command
    .option('--project <key>', 'only notes of this project')
    .addOption(typeOption('only notes of this type'))
    .addOption(scopeOption('only notes of this scope'))
    .option(
      '--tag <tag>',
      'only notes with this tag or one below it (infra: infra/prod); repeat it for notes with all of them',
      repeatable,
    )
    .option('--machine <name>', 'only notes written on this machine')
    .option('--agent <name>', 'only notes written by this agent')
    .option('--after <time>', 'only notes updated since: 2026-06-24, 2026-06, 7d, "last monday"')
    .option('--before <time>', 'only notes updated before this time')
    .option('--user <id>', 'only notes of this user')
    .option('--workspace <id>', 'only notes of this workspace');

export const filterOf = async (given: FilterOptions): Promise<NoteFilter> => ({
  project: given.project,
  type: given.type,
  scope: given.scope,
  tags: given.tag,
  machine: given.machine,
  agent: given.agent,
  after: await readSeconds(given.after, '--after'),
  before: await readSeconds(given.before, '--before'),
  user: given.user,
  workspace: given.workspace,
});
