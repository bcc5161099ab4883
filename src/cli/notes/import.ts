/** anamnesis import */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type ImportFormat, importFormats } from '../../commands/foreign-note.js';
import { type Refusal, valueInvalid } from '../../commands/refusals.js';
import { claudeHomeOf } from '../../config/settings.js';
import type { ImportAnswer, Progress } from '../../import/import-items.js';
import type { Memory } from '../../store/memory.js';
import { describe, type JsonOption, orRefused, printMasked } from '../answer.js';
import { exitCodes, refused, wrongUsage } from '../errors.js';
import { syncAfterwards } from '../machines/sync.js';
import { subcommand } from '../options.js';
import { counted, ink, print, printJson, say, sayWarnings } from '../output.js';
import { openProgress } from '../progress.js';
import { withMemory } from '../session.js';

type ImportOptions = JsonOption & {
  readonly from?: ImportFormat;
  readonly project?: string;
  readonly claudeHome?: string;
  readonly claudeMd?: true;
  readonly sync: boolean;
};

export const importCommand = (): Command =>
  subcommand('import', "Import notes from Claude Code's memory, a folder or a file, as one event", [
    'import',
    'import --claude-md --claude-home ~/work/.claude',
    'import transcripts',
    'import ~/notes',
    'import notes.jsonl.gz --project github.com/acme/shop',
    'import ~/old-store --from anamnesis',
    'import ~/.claude-mem/claude-mem.db',
    'import ~/.claude/claude-memory',
    'import ~/basic-memory --from basic-memory',
    'import memory.jsonl --from mcp-memory',
  ])
    .argument('[path]', "what to import, or transcripts (default: Claude Code's own memory)")
    .addOption(new Option('--from <format>', 'format of the path (default: recognised)').choices(importFormats))
    .option('--project <key>', "project for notes that don't name one")
    .option('--claude-home <dir>', "Claude Code's folder (default: CLAUDE_CONFIG_DIR or ~/.claude)")
    .option('--claude-md', 'import CLAUDE.md files and rules too')
    .option('--no-sync', 'record only, do not sync afterwards')
    .action(async (path: string | undefined, options: ImportOptions) => {
      const ofTranscripts = path === 'transcripts' && !existsSync(path);
      checkUsage(path, options, ofTranscripts);
      await withMemory(async (memory) => {
        const progress = openProgress();
        const show = ({ done, total, stage }: Progress): void => progress.show(stage, done, total);
        const imported = await (ofTranscripts
          ? runTranscripts(memory, options, show)
          : runImport(memory, path, options, show)
        ).finally(() => progress.end());
        if ('message' in imported) throw refused(imported);
        printImport(imported, options);
        await syncAfterwards(memory, options.sync && imported.answer.status === 'recorded');
      });
    });

const checkUsage = (path: string | undefined, options: ImportOptions, ofTranscripts: boolean): void => {
  const { from, project, claudeHome, claudeMd } = options;
  if (ofTranscripts) {
    if (from !== undefined || project !== undefined || claudeMd === true)
      throw wrongUsage('import transcripts takes no --from, --project or --claude-md', 'leave them out');
    return;
  }
  if (path === undefined && from !== undefined && from !== 'claude-code')
    throw wrongUsage(`--from ${from} needs a path`, `name the file or folder: anamnesis import <path> --from ${from}`);
  if (path !== undefined && claudeHome !== undefined)
    throw wrongUsage('--claude-home and a path are two sources', 'give one of them');
  if (path !== undefined && claudeMd === true && from !== 'claude-code')
    throw wrongUsage('--claude-md is for a Claude home', 'name it: anamnesis import --claude-md --claude-home <dir>');
};

type Imported = Pick<ImportAnswer, 'answer' | 'problems'> & { readonly format: ImportFormat | 'transcripts' };

const findClaudeHome = (given: string | undefined): string | undefined => {
  const folder = given === undefined ? claudeHomeOf(process.env) : resolve(given);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : undefined;
};

const noClaudeHome = (given: string | undefined): Refusal =>
  valueInvalid('claude-home', 'a folder that exists', given ?? claudeHomeOf(process.env));

/** An event for each session, so that there is none to show for all of them. */
const runTranscripts = async (
  memory: Memory,
  options: ImportOptions,
  onProgress: (progress: Progress) => void,
): Promise<Imported | Refusal> => {
  const claudeHome = findClaudeHome(options.claudeHome);
  if (claudeHome === undefined) return noClaudeHome(options.claudeHome);
  const { importTranscripts } = await import('../../agents/importing-transcripts.js');
  const { openAgentState } = await import('../../state/agent-state.js');
  await memory.initialise();
  const state = openAgentState(join(memory.settings.home, 'agents.db'));
  try {
    const { problems, ...counts } = await importTranscripts(memory, state, {
      claudeHome,
      userHome: homedir(),
      onProgress: (done, total) => onProgress({ done, total, stage: 'recording' }),
    });
    const status = counts.imported + counts.updated === 0 ? 'unchanged' : 'recorded';
    const answer = { status, event: undefined, note: undefined, masked: [], warnings: [], counts } as const;
    return { format: 'transcripts', answer, problems };
  } finally {
    state.close();
  }
};

const runImport = async (
  memory: Memory,
  path: string | undefined,
  { from, project, claudeHome, claudeMd }: ImportOptions,
  onProgress: (progress: Progress) => void,
): Promise<Imported | Refusal> => {
  if (path !== undefined) {
    const { importPath } = await import('../../import/importing.js');
    return importPath(memory, path, { format: from, project, claudeMd, onProgress });
  }
  const folder = findClaudeHome(claudeHome);
  if (folder === undefined) return noClaudeHome(claudeHome);
  const { importNative } = await import('../../import/importing-native.js');
  return importNative(memory, { claudeHome: folder, userHome: homedir(), claudeMd: claudeMd === true, onProgress });
};

const printImport = ({ format, answer, problems }: Imported, options: ImportOptions): void => {
  const { event, masked, warnings, counts, status } = orRefused(answer);
  const { imported, updated, skipped } = counts ?? { imported: 0, updated: 0, skipped: 0 };
  if (options.json === true) {
    printJson({ format, imported, updated, skipped, event: event ?? null, masked, warnings, problems });
  } else {
    print(
      `${event === undefined ? ink('dim', status) : describe({ status, event })} ${imported} imported, ${updated} updated, ${skipped} unchanged (${format})\n`,
    );
    printMasked(masked);
  }
  sayWarnings(warnings);
  for (const { where, message } of problems.slice(0, maxProblems)) say(`${where}: ${message}`);
  if (problems.length > maxProblems) say(`and ${problems.length - maxProblems} more`);
  if (problems.length > 0 && imported + updated + skipped === 0) {
    process.exitCode = exitCodes.refused;
    say(
      `anamnesis: nothing could be imported (${counted(problems.length, 'problem')}); fix the files and import again`,
    );
  }
};

const maxProblems = 20;
