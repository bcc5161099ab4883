/** anamnesis completion: scripts for shells, made from the commands themselves. */
import { Argument, type Command } from 'commander';
import { subcommand } from '../options.js';
import { printWhole } from '../output.js';
import { describeTree } from './completion-tree.js';

export const completionCommand = (): Command =>
  subcommand('completion', 'Print a completion script for a shell', [
    'completion bash >> ~/.bash_completion',
    'completion zsh > ~/.zfunc/_anamnesis',
    'completion fish > ~/.config/fish/completions/anamnesis.fish',
  ])
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: string, _options: unknown, command: Command) => {
      const { formatBash, formatFish, formatZsh } = await import('./completion-scripts.js');
      const tree = describeTree(command.parent ?? command);
      printWhole(shell === 'bash' ? formatBash(tree) : shell === 'zsh' ? formatZsh(tree) : formatFish(tree));
    });
