/** Commands and options as plain data for the completion scripts. */
import type { Command } from 'commander';

export type CompletedOption = {
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** Values to offer; none means any text, or a file. */
  readonly values: readonly string[];
  readonly isFile: boolean;
};

export type CompletedCommand = {
  /** Words after the program's name: `[]`, `['search']`, `['eval', 'run']`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** Subcommands, or the values that an argument allows, each with its description. */
  readonly words: readonly { readonly word: string; readonly description: string }[];
  readonly takesFiles: boolean;
};

/** Every command, parents before children; an alias is a command of its own. */
export const describeTree = (command: Command, path: readonly string[] = []): readonly CompletedCommand[] => {
  const children = command.commands.flatMap((child) =>
    [child.name(), ...child.aliases()].map((name) => ({ name, child })),
  );
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    {
      path,
      description: command.description(),
      options: [
        ...command.options.map(({ short, long, description, required, optional, argChoices }) => ({
          flags: [short, long].flatMap((flag) => flag ?? []),
          description,
          takesValue: required || optional,
          values: argChoices ?? [],
          isFile: fileOptions.some((name) => name === long),
        })),
        {
          flags: ['-h', '--help'],
          description: 'display help for command',
          takesValue: false,
          values: [],
          isFile: false,
        },
      ],
      words: [
        ...children.map(({ name, child }) => ({ word: name, description: child.description() })),
        ...values.map((word) => ({ word, description: '' })),
      ],
      takesFiles: command.registeredArguments.some((argument) =>
        fileArguments.some((name) => name === argument.name()),
      ),
    },
    ...children.flatMap(({ name, child }) => describeTree(child, [...path, name])),
  ];
};

const fileOptions = ['--body-file', '--eval-set', '--out'] as const;
const fileArguments = ['path', 'folders'] as const;
