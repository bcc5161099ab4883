/** Runs the typed command, and prints an error in one line. */
import { Command } from 'commander';
import { failureOf, printFailure } from './errors.js';
import { type Group, loadGroups } from './groups.js';
import { isTerminal, print } from './output.js';

/** Without a command: the help at a terminal, else the MCP server. */
export const runFully = async (args: readonly string[]): Promise<void> => {
  const program = makeProgram(await loadGroups(args[0]));
  await runProgram(program, args, async () => {
    if (isTerminal('stdin')) program.outputHelp();
    else await (await import('./agents/agents.js')).serveAgent();
  });
};

export const makeProgram = (groups: readonly Group[]): Command => {
  const program = new Command('anamnesis')
    .description('A memory for coding agents: markdown notes in a git journal')
    .version(process.env['ANAMNESIS_VERSION'] ?? 'unknown', '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    // runProgram prints errors, in one line.
    .configureOutput({ writeOut: print, writeErr: () => undefined, outputError: () => undefined })
    .addHelpText('after', about);
  for (const [heading, commands] of groups) {
    for (const command of commands) program.addCommand(command.helpGroup(heading));
  }
  program.commands.forEach(inherit(program));
  return program;
};

export const runProgram = async (
  program: Command,
  args: readonly string[],
  whenBare?: () => Promise<void>,
): Promise<void> => {
  try {
    if (args.length === 0 && whenBare !== undefined) await whenBare();
    else await program.parseAsync(asTyped(args), { from: 'user' });
  } catch (error) {
    const failure = failureOf(error, `${pathOf(program, args)} --help`);
    if (failure !== undefined) printFailure(failure, asksForJson(args));
  }
};

/** Translates words that people try into commander's terms. */
const asTyped = (args: readonly string[]): string[] => {
  const [first = '', ...rest] = args;
  if (first === 'help') return [...rest, '--help'];
  return first === 'version' || first === '-v' ? ['--version'] : [...args];
};

/** commander passes settings on to a command only if its parent creates it. */
const inherit =
  (parent: Command) =>
  (command: Command): void => {
    command.copyInheritedSettings(parent);
    if (command.commands.length > 0) {
      command.helpCommand('help [command]', 'print the help of a subcommand');
      command.commands.forEach(inherit(command));
    } else if (!withoutJson.has(command.name())) command.option('--json', 'print the result as JSON');
  };

const withoutJson: ReadonlySet<string> = new Set(['serve', 'completion']);

/** Returns the command that was meant, as far as it exists: `anamnesis eval run`. */
const pathOf = (command: Command, args: readonly string[]): string => {
  const [first = '', ...rest] = args;
  const child = command.commands.find((one) => one.name() === first || one.aliases().includes(first));
  return child === undefined ? command.name() : `${command.name()} ${pathOf(child, rest)}`;
};

const asksForJson = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
};

const about = `
Examples:
  $ anamnesis write 'Deploys need the VPN' --body 'Or the registry hangs.'
  $ anamnesis search why does the deploy hang
  $ anamnesis COMMAND --help

Without a command: this help at a terminal, else serve.

Environment:
  ANAMNESIS_HOME        folder of the store (~/.anamnesis)
  ANAMNESIS_MACHINE_ID  name of this machine (its host name)
  ANAMNESIS_DEBUG       set to 1 to see the stack trace of a fault
  VISUAL, EDITOR        editor for texts
  NO_COLOR, FORCE_COLOR colours off, or on even in a pipe

Exit codes: 0 done, 1 refused, 2 usage, 70 fault,
  3 store damaged or out of step with its journal.`;
