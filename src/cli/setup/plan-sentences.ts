/** Describes the plan of `init` and `uninstall` in sentences. `--print` has the exact lines. */
import type { InitPlan } from '../../setup/init.js';
import type { Registration } from '../../setup/register.js';
import type { ClientName } from '../../setup/surroundings.js';
import type { Removal } from '../../setup/unregister.js';
import { counted } from '../output.js';

/** One sentence for each step. `homeFolder` is shown as `~`. */
export const sentencesOfInit = (
  { root, isNew, config, registrations, imports, syncs }: InitPlan,
  homeFolder: string,
): readonly string[] => {
  const short = shortenIn(homeFolder);
  const settings = config.shown.map(({ key, value }) =>
    value === undefined ? `${key} back to its default` : `${key} to ${JSON.stringify(value)}`,
  );
  return [
    ...(isNew ? [`Create a folder for your notes: ${short(root)}.`] : []),
    ...(settings.length > 0 ? [`Set ${listOf(settings)} in ${short(config.file)}.`] : []),
    ...registrations.map(({ registration }) => sentenceOfRegistration(registration, short)),
    ...(imports ? ["Import the notes of Claude Code's own memory."] : []),
    ...(syncs ? ['Sync with the remote.'] : []),
  ];
};

export const sentencesOfUninstall = (removals: readonly Removal[], homeFolder: string): readonly string[] =>
  removals.map((removal) => sentenceOfRemoval(removal, shortenIn(homeFolder)));

const sentenceOfRegistration = (
  { client, part, file, change, added, removed }: Registration,
  short: (path: string) => string,
): string => {
  const name = clientLabels[client];
  if (change === 'none') return `Leave ${short(file)} as it is: ${name} is set up there already.`;
  const where = change === 'create' ? `a new file, ${short(file)}` : short(file);
  const instead = removed.length > 0 ? `, in place of ${counted(removed.length, 'older entry', 'older entries')}` : '';
  return part === 'hooks'
    ? `Add ${counted(added.length, 'hook')} to ${where}${instead}: ${name} then gets relevant notes, and each of its sessions leaves one.`
    : `Add the MCP server to ${where}${instead}: ${name} can then search and write notes itself.`;
};

const sentenceOfRemoval = (
  { client, part, file, change, removed }: Removal,
  short: (path: string) => string,
): string => {
  const name = clientLabels[client];
  const ours = part === 'hooks' ? counted(removed.length, 'hook') : 'the MCP server';
  switch (change) {
    case 'restore':
      return `Restore ${short(file)} for ${name} as it was before init, byte for byte.`;
    case 'remove':
      return `Remove ${short(file)}, which init created for ${name} and which has not changed since.`;
    case 'edit':
      return `Remove ${ours} from ${short(file)}; anything else that ${name} or you wrote there stays.`;
    case 'none':
      return `Leave ${short(file)} as it is: it has no entries of ours.`;
  }
};

const clientLabels: Readonly<Record<ClientName, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  vscode: 'VS Code',
};

const shortenIn =
  (homeFolder: string) =>
  (path: string): string =>
    path.startsWith(`${homeFolder}/`) ? `~${path.slice(homeFolder.length)}` : path;

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
