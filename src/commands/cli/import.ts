/** anamnesis import */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ImportAnswer, Progress } from '../../memory/import-items.js';
import type { Memory } from '../../memory/memory.js';
import { claudeHomeOf } from '../../memory/settings.js';
import { type ImportFormat, importFormats } from '../import/foreign.js';
import { type Refusal, valueInvalid } from '../refusals.js';
import { describe, type JsonOption, orRefused, printMasked } from './answer.js';
import { exitCodes, refused, wrongUsage } from './errors.js';
import { subcommand } from './options.js';
import { counted, print, printJson, say, sayWarnings } from './output.js';
import { openProgress } from './progress.js';
import { withMemory } from './session.js';

type ImportOptions = JsonOption & {
  readonly from?: ImportFormat;
  readonly project?: string;
  readonly claudeHome?: string;
  readonly claudeMd?: true;
  /** Nothing is synced after an import yet, so that both values do the same. */
  readonly sync: boolean;
};

export const importCommand = (): Command =>
  subcommand('import', "Take notes in from Claude Code's memory, a folder or a file, as one event", [
    'import',
    'import --claude-md --claude-home ~/work/.claude',
    'import ~/notes',
    'import notes.jsonl.gz --project github.com/acme/shop',
    'import ~/old-store --from anamnesis',
    'import ~/.claude-mem/claude-mem.db',
    'import ~/.claude/claude-memory',
    'import ~/basic-memory --from basic-memory',
    'import memory.jsonl --from mcp-memory',
  ])
    .argument('[path]', "what to take in; without it Claude Code's own memory")
    .addOption(new Option('--from <format>', 'what the path holds; recognised when not given').choices(importFormats))
    .option('--project <key>', 'project of notes that name none')
    .option('--claude-home <dir>', "Claude Code's folder; CLAUDE_CONFIG_DIR or ~/.claude when not given")
    .option('--claude-md', 'take in CLAUDE.md files and rules too')
    .option('--no-sync', 'record only, do not sync afterwards')
    .action(async (path: string | undefined, options: ImportOptions) => {
      checkUsage(path, options);
      if (path === 'transcripts' && !existsSync(path)) throw refused(transcriptsNotThere);
      await withMemory(async (memory) => {
        const progress = openProgress();
        const imported = await runImport(memory, path, options, ({ done, total, stage }) =>
          progress.show(stage, done, total),
        ).finally(() => progress.end());
        if ('message' in imported) throw refused(imported);
        printImport(imported, options);
      });
    });

/** The one place that `import transcripts` goes through: `importTranscripts` of memory/importing-transcripts.ts. */
const transcriptsNotThere: Refusal = valueInvalid('path', 'a file or folder that exists', 'transcripts');

const checkUsage = (path: string | undefined, { from, claudeHome, claudeMd }: ImportOptions): void => {
  if (path === undefined && from !== undefined && from !== 'claude-code')
    throw wrongUsage(`--from ${from} needs a path`, `name the file or folder: anamnesis import <path> --from ${from}`);
  if (path !== undefined && claudeHome !== undefined)
    throw wrongUsage('--claude-home and a path are two sources', 'give one of them');
  if (path !== undefined && claudeMd === true && from !== undefined && from !== 'claude-code')
    throw wrongUsage(`--claude-md is of Claude Code, not of ${from}`, 'leave one of them out');
};

const runImport = async (
  memory: Memory,
  path: string | undefined,
  { from, project, claudeHome, claudeMd }: ImportOptions,
  onProgress: (progress: Progress) => void,
): Promise<ImportAnswer | Refusal> => {
  if (path !== undefined) {
    const { importPath } = await import('../../memory/importing.js');
    return importPath(memory, path, { format: from, project, claudeMd, onProgress });
  }
  const folder = claudeHome === undefined ? claudeHomeOf(process.env) : resolve(claudeHome);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return valueInvalid('claude-home', 'a folder that exists', folder);
  const { importNative } = await import('../../memory/importing-native.js');
  return importNative(memory, { claudeHome: folder, userHome: homedir(), claudeMd: claudeMd === true, onProgress });
};

const printImport = ({ format, answer, problems }: ImportAnswer, options: ImportOptions): void => {
  const { event, masked, warnings, counts, status } = orRefused(answer);
  const { imported, updated, skipped } = counts ?? { imported: 0, updated: 0, skipped: 0 };
  if (options.json === true) {
    printJson({ format, imported, updated, skipped, event: event ?? null, masked, warnings, problems });
  } else {
    print(
      `${describe({ status, event })} ${imported} imported, ${updated} updated, ${skipped} unchanged (${format})\n`,
    );
    printMasked(masked);
  }
  sayWarnings(warnings);
  for (const { where, message } of problems.slice(0, mostProblems)) say(`${where}: ${message}`);
  if (problems.length > mostProblems) say(`and ${problems.length - mostProblems} more`);
  if (problems.length > 0 && imported + updated + skipped === 0) {
    process.exitCode = exitCodes.refused;
    say(
      `anamnesis: nothing could be imported (${counted(problems.length, 'problem')}); mend the files and import again`,
    );
  }
};

const mostProblems = 20;
