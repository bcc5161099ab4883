/** anamnesis hook, capture, work and serve: commands that run around an agent's session. */
import { type Command, Option } from 'commander';
import { hookEvents } from '../../agents/hooks/payload.js';
import type { WorkReport } from '../../agents/working.js';
import { captureSession, workOffSpool } from '../../app/intake.js';
import { type CaptureSource, captureSources } from '../../commands/source-keys.js';
import { describe, type JsonOption, printMasked, syncAfterwards } from '../answer.js';
import { refused, wrongUsage } from '../errors.js';
import { subcommand } from '../options.js';
import { cleanLine, counted, print, printJson, say, sayWarnings } from '../output.js';
import { withApp } from '../session.js';

/** Only describes the command: when this is loaded, hook.ts has done the work already, or help was asked for. */
export const hookCommand = (): Command =>
  subcommand('hook', "Answer an agent's hook; reads its payload from standard input", [
    `hook SessionStart < payload.json`,
    `hook UserPromptSubmit --home ~/.anamnesis < payload.json`,
  ])
    .argument('<event>', hookEvents.join(', '))
    .option('--home <folder>', 'folder of the store')
    .option('--client <name>', 'agent that calls it: claude-code, codex')
    .option('--server <name>', 'name that the MCP server is registered under')
    .option('--plugin', 'do nothing if init has registered the hooks')
    .action((event: string) => {
      throw wrongUsage(`there is no hook event ${event}`, `give one of: ${hookEvents.join(', ')}`);
    });

type CaptureOptions = JsonOption & {
  readonly transcript: string;
  readonly project?: string;
  readonly source: CaptureSource;
  readonly sync: boolean;
};

export const captureCommand = (): Command =>
  subcommand('capture', "Record the note of an agent's session from its transcript", [
    'capture --transcript ~/.claude/projects/-work-shop/0b7c….jsonl',
    'capture --transcript session.jsonl --project acme/shop',
  ])
    .requiredOption('--transcript <file>', 'transcript of the session, JSONL')
    .option('--project <key>', "project of the note (default: that of the session's folder)")
    .addOption(new Option('--source <source>', 'who asks for it').choices(captureSources).default('manual'))
    .option('--no-sync', 'record only, do not sync afterwards')
    .action((options: CaptureOptions) =>
      withApp(async (app) => {
        const { transcript, project, source } = options;
        const done = await captureSession(await app.whole(), { transcript, project, source });
        if (done.status === 'refused') throw refused(done.refusal);
        if (done.status === 'trivial') {
          if (options.json === true) printJson({ status: 'trivial', session: done.session, note: null });
          else
            print(`nothing to capture: session ${cleanLine(done.session)} touched no file and has next to no text\n`);
          return;
        }
        const { note, event, masked, warnings, status } = done.answer;
        await syncAfterwards(app, options.sync && status === 'recorded');
        if (options.json === true)
          return printJson({
            status,
            session: done.session,
            event: event ?? null,
            note: note ?? null,
            masked,
            warnings,
          });
        print(`${describe({ status, event })} ${cleanLine(`${note?.short_id ?? ''} ${note?.title ?? ''}`)}\n`);
        printMasked(masked);
        sayWarnings(warnings);
      }),
    );

export const workCommand = (): Command =>
  subcommand('work', 'Carry out the work that hooks queued: captures, learning, import of native memory', [
    'work',
    'work --json',
  ])
    .option('--home <folder>', 'folder of the store')
    .action((options: JsonOption) =>
      withApp(async (app) => {
        const report = await workOffSpool(await app.whole());
        if (options.json === true) printJson(report);
        else print(report.busy ? 'another worker is running\n' : `${describeWork(report) || 'nothing to do'}\n`);
        for (const problem of report.problems) say(cleanLine(problem));
      }),
    );

const describeWork = ({ captured, learned, proposed, confirmed, imported, pulled, pushed }: WorkReport): string =>
  [
    [captured, 'session', 'captured'],
    [learned, 'note', 'learned'],
    [proposed, 'proposal', 'to review'],
    [confirmed, 'note', 'confirmed'],
    [imported, 'note', 'imported'],
    [pulled, 'event', 'pulled'],
    [pushed, 'event', 'pushed'],
  ]
    .flatMap(([count, what, done]) => (Number(count) > 0 ? [`${counted(Number(count), String(what))} ${done}`] : []))
    .join(', ');

export const serveCommand = (): Command =>
  subcommand('serve', 'Answer an agent over MCP on standard input and output', [
    'serve',
    'serve < requests.jsonl',
  ]).action(() => serveAgent());

export const serveAgent = async (): Promise<void> => {
  const { serve } = await import('../../mcp/server.js');
  await withApp((app) => serve(app));
};
