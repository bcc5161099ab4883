/** anamnesis import */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Imported, ImportProgress } from '../../app/intake.js';
import { type ImportFormat, importFormats } from '../../commands/source-keys.js';
import { describe, type JsonOption, orRefuse, printMasked } from '../answer.js';
import { exitCodes, wrongUsage } from '../errors.js';
import { syncAfterwards } from '../machines/sync.js';
import { subcommand } from '../options.js';
import { counted, ink, print, printJson, say, sayWarnings } from '../output.js';
import { openProgress } from '../progress.js';
import { withApp } from '../session.js';

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
      await withApp(async ({ intake, sync }) => {
        const progress = openProgress();
        const { from: format, project, claudeHome, claudeMd } = options;
        const onProgress = ({ done, total, stage }: ImportProgress): void => progress.show(stage, done, total);
        const imported = await (ofTranscripts
          ? intake.importTranscripts({ claudeHome, onProgress })
          : intake.import(path, { format, project, claudeHome, claudeMd, onProgress })
        ).finally(() => progress.end());
        const done = orRefuse(imported);
        printImport(done, options);
        await syncAfterwards(sync, options.sync && done.answer.status === 'recorded');
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

const printImport = ({ format, answer, problems }: Imported, options: ImportOptions): void => {
  const { event, masked, warnings, counts, status } = answer;
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
