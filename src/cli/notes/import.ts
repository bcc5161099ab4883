/** anamnesis import: brings in notes of other programs. */
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type ImportProgress, importNotes, importSessions } from '../../app/intake.js';
import { type ImportFormat, importFormats } from '../../commands/source-keys.js';
import type { Scope } from '../../events/note/note.js';
import { type JsonOption, syncAfterwards } from '../answer.js';
import { answerOrThrow, wrongUsage } from '../errors.js';
import { scopeOption, subcommand } from '../options.js';
import { openProgress } from '../progress.js';
import { projectToWrite } from '../project-here.js';
import { withApp } from '../session.js';
import { printImport } from './import-view.js';
import { watchFolder } from './import-watch.js';

export type ImportOptions = JsonOption & {
  readonly from?: ImportFormat;
  readonly project?: string;
  readonly scope?: Scope;
  readonly source?: string;
  readonly claudeHome?: string;
  readonly claudeMd?: true;
  readonly untrusted?: true;
  readonly dryRun?: true;
  readonly watch?: true;
  readonly sync: boolean;
};

export const importCommand = (): Command =>
  subcommand('import', "Import notes from Claude Code's memory, a folder or a file, as one event", [
    'import',
    'import --claude-md --claude-home ~/work/.claude',
    'import transcripts --dry-run',
    'import transcripts --claude-home ~/work/.claude',
    'import ~/notes --project github.com/acme/shop --dry-run',
    'import ~/vault --project github.com/acme/shop --watch',
    'import notes.jsonl.gz --project github.com/acme/shop',
    'import ~/old-store --from anamnesis',
    'import ~/.claude-mem/claude-mem.db',
    'import ~/.claude/claude-memory',
    'import ~/basic-memory --from basic-memory',
    'import memory.jsonl --from mcp-memory',
  ])
    .argument(
      '[path]',
      "file or folder, or transcripts: the sessions that Claude Code keeps, one note each (default: Claude Code's own memory)",
    )
    .addOption(new Option('--from <format>', 'format of the path (default: detected)').choices(importFormats))
    .option(
      '--project <key>',
      'project of all notes of a folder; of other sources, of notes that name none (in JSONL also those that say global)',
    )
    .addOption(scopeOption('scope of all notes (default: machine-local for those whose source says so, else portable)'))
    .option(
      '--source <name>',
      "name of the source; importing it again under this name updates its notes (default: the folder's or file's)",
    )
    .option('--claude-home <dir>', "Claude Code's folder (default: CLAUDE_CONFIG_DIR or ~/.claude)")
    .option('--claude-md', 'import CLAUDE.md files and rules too')
    .option('--untrusted', "notes of somebody else's words: agents are offered none until you accept it with review")
    .option('-n, --dry-run', 'only show the titles and what would become of each')
    .option('--watch', 'keep running, and import a folder of markdown again whenever its files change')
    .option('--no-sync', 'record only, do not sync afterwards')
    .action(importAsked);

const importAsked = async (path: string | undefined, options: ImportOptions): Promise<void> => {
  const ofTranscripts = path === 'transcripts' && !existsSync(path);
  checkUsage(path, options, ofTranscripts);
  if (options.watch === true && path !== undefined) return watchFolder(path, options);
  await withApp(async (app) => {
    const memory = await app.whole();
    const progress = openProgress();
    const { from: format, project, scope, source, untrusted, claudeHome, claudeMd, dryRun } = options;
    const onProgress = ({ done, total, stage }: ImportProgress): void => progress.show(stage, done, total);
    const key = project === undefined ? undefined : (await projectToWrite(app, project)).key;
    const request = { format, project: key, scope, source, untrusted, claudeHome, claudeMd, dryRun, onProgress };
    const running = ofTranscripts ? importSessions(memory, request) : importNotes(memory, path, request);
    const done = answerOrThrow(await running.finally(() => progress.end()));
    await printImport(app.notes, done, options);
    await syncAfterwards(app, options.sync && done.answer.status === 'recorded');
  });
};

const checkUsage = (path: string | undefined, options: ImportOptions, ofTranscripts: boolean): void => {
  const { from, project, scope, source, untrusted, claudeHome, claudeMd, dryRun, watch } = options;
  if (watch === true && (path === undefined || ofTranscripts || dryRun === true))
    throw wrongUsage(
      '--watch needs the path of a folder, and excludes --dry-run',
      'anamnesis import <folder> --project <key> --watch',
    );
  if (ofTranscripts) {
    if ([from, project, scope, source, untrusted, claudeMd].some((given) => given !== undefined))
      throw wrongUsage(
        'import transcripts takes no --from, --project, --scope, --source, --untrusted or --claude-md',
        'leave them out',
      );
    return;
  }
  if (path === undefined && from !== undefined && from !== 'claude-code')
    throw wrongUsage(`--from ${from} needs a path`, `name the file or folder: anamnesis import <path> --from ${from}`);
  if (path === undefined && source !== undefined)
    throw wrongUsage('--source needs a path', `name it: anamnesis import <path> --source '${source}'`);
  if (path === undefined && untrusted === true)
    throw wrongUsage("--untrusted is for somebody else's notes", 'name them: anamnesis import <path> --untrusted');
  if (path !== undefined && claudeHome !== undefined)
    throw wrongUsage('--claude-home and a path are two sources', 'give one of them');
  if (path !== undefined && claudeMd === true && from !== 'claude-code')
    throw wrongUsage('--claude-md is for a Claude home', 'name it: anamnesis import --claude-md --claude-home <dir>');
};
