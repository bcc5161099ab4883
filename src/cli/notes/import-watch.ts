/** anamnesis import --watch: prints the first import, and afterwards only what is new. */
import { type ImportResult, watchNotes } from '../../app/intake.js';
import type { ImportFormat } from '../../commands/source-keys.js';
import type { Scope } from '../../events/note/note.js';
import { type JsonOption, syncAfterwards } from '../answer.js';
import { answerOrThrow } from '../errors.js';
import { say } from '../output.js';
import { openProgress } from '../progress.js';
import { projectToWrite } from '../project-here.js';
import { withApp } from '../session.js';
import { printImport } from './import-view.js';

export type WatchOptions = JsonOption & {
  readonly from?: ImportFormat;
  readonly project?: string;
  readonly scope?: Scope;
  readonly source?: string;
  readonly untrusted?: true;
  readonly sync: boolean;
};

/** Watches until the person or the system ends the process; finishes an import in progress first. */
export const watchFolder = (path: string, options: WatchOptions): Promise<void> =>
  withApp(async (app) => {
    const project = options.project === undefined ? undefined : (await projectToWrite(app, options.project)).key;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    for (const signal of endSignals) process.once(signal, end);
    const progress = openProgress();
    const printed = new Set<string>();
    let isFirst = true;
    const onImport = async (done: ImportResult): Promise<void> => {
      progress.end();
      const fresh = isFirst ? done : withoutPrinted(done, printed);
      remember(done, printed);
      if (isFirst || isWorthPrinting(fresh)) await printImport(app.notes, fresh, options);
      process.exitCode = undefined;
      if (isFirst) say(`watching ${path}; stop with Ctrl-C`);
      isFirst = false;
      await syncAfterwards(app, options.sync && done.answer.status === 'recorded');
    };
    try {
      const watched = await watchNotes(await app.whole(), path, {
        format: options.from,
        project,
        scope: options.scope,
        source: options.source,
        untrusted: options.untrusted,
        signal: ending.signal,
        onProgress: ({ done, total, stage }) => {
          if (isFirst) progress.show(stage, done, total);
        },
        onImport,
        onGone: (isGone) => say(isGone ? `${path} can't be read; waiting for it` : `${path} is there again`),
        onTrouble: (message) => say(`not imported: ${message}; trying again`),
      });
      answerOrThrow(watched);
    } finally {
      progress.end();
      for (const signal of endSignals) process.removeListener(signal, end);
    }
  });

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Lines that would repeat with each import, since a file stays unreadable or gone for many. */
const linesOf = ({ problems, passed, missing }: ImportResult): readonly string[] => [
  ...problems.map(problemLine),
  ...passed,
  ...missing.map(({ id }) => id),
];

const problemLine = ({ where, message }: ImportResult['problems'][number]): string => `${where}: ${message}`;

const remember = (done: ImportResult, printed: Set<string>): void => {
  const now = linesOf(done);
  printed.clear();
  for (const line of now) printed.add(line);
};

const withoutPrinted = (done: ImportResult, printed: ReadonlySet<string>): ImportResult => ({
  ...done,
  problems: done.problems.filter((problem) => !printed.has(problemLine(problem))),
  passed: done.passed.filter((path) => !printed.has(path)),
  missing: done.missing.filter(({ id }) => !printed.has(id)),
});

const isWorthPrinting = (fresh: ImportResult): boolean =>
  fresh.answer.status === 'recorded' || fresh.answer.warnings.length > 0 || linesOf(fresh).length > 0;
