import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { loadGroups } from '../../src/cli/groups.js';
import { makeProgram } from '../../src/cli/run.js';
import { openHome } from './support.js';

const leaves = (command: Command): readonly Command[] =>
  command.commands.flatMap((child) => (child.commands.length > 0 ? leaves(child) : [child]));

const helpOf = (command: Command): string => {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
};

const program = makeProgram(await loadGroups(undefined));
const commands = leaves(program);
const names = commands.map((command) => {
  const parent = command.parent?.parent === null ? undefined : command.parent?.name();
  return [parent === undefined ? command.name() : `${parent} ${command.name()}`, command] as const;
});

const everyCommand = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(everyCommand)];

describe('help', () => {
  it('has no line of more than 80 columns on any page', () => {
    const pages = everyCommand(program).map((command) => [command.name(), helpOf(command).split('\n')] as const);
    expect(
      pages.flatMap(([name, lines]) => lines.filter(({ length }) => length > 80).map((line) => [name, line])),
    ).toEqual([]);
    expect(pages.length).toBeGreaterThan(70);
  });
  it('names every subcommand of the product', () => {
    expect(names.map(([name]) => name).sort()).toEqual(
      [
        ...[
          'adopt',
          'backup',
          'compact',
          'restore-backup',
          'capture',
          'completion',
          'conflicts',
          'config get',
          'config list',
          'config set',
          'config unset',
          'doctor',
          'diff',
          'edit',
          'eval approve',
          'eval bench',
          'eval build',
          'eval prompts',
          'eval run',
          'trace',
          'fleet',
          'forget',
          'history',
          'hook',
          'import',
          'init',
          'init-store',
          'inject',
        ],
        ...[
          'list',
          'projects',
          'tags',
          'log',
          'model index',
          'model install',
          'model list',
          'model remove',
          'model test',
          'model use',
          'move',
          'project show',
          'project trust',
          'project untrust',
          'purge',
          'recall',
          'remote remove',
          'remote set',
          'remote show',
          'replay',
          'resolve',
          'restore',
          'review accept',
          'review list',
          'review reject',
          'search',
          'similar',
          'serve',
          'show',
          'stats',
          'status',
          'supersede',
          'sync',
          'tag',
          'undo',
          'uninstall',
          'untag',
          'verify',
          'work',
          'write',
        ],
      ].sort(),
    );
  });
  it.each(names)('%s has one imperative line, examples of itself and described options', (name, command) => {
    expect(command.description()).toMatch(/^[A-Z][^\n]*[^.\n]$/);
    const examples = helpOf(command).split('\nExamples:\n')[1] ?? '';
    const lines = examples.trimEnd().split('\n');
    for (const line of lines.filter((one) => !one.startsWith('      ')))
      expect(line).toMatch(new RegExp(`^  \\$ anamnesis ${name}\\b`));
    for (const option of command.options)
      expect([option.flags, option.description]).toEqual([option.flags, expect.stringMatching(/./)]);
    for (const argument of command.registeredArguments) expect(argument.description).not.toBe('');
    if (name !== 'serve' && name !== 'completion')
      expect(command.options.map((option) => option.long)).toContain('--json');
  });
  it('is printed with exit code 0', async () => {
    const home = openHome();
    try {
      expect(await home.run(['--help'])).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('Exit codes: 0 done'),
      });
      expect(await home.run(['search', '--help'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Usage: anamnesis search/),
      });
      expect(await home.run(['help', 'eval', 'run'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Usage: anamnesis eval run/),
      });
    } finally {
      home.remove();
    }
  });
});
