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
    let problems = 0;
    let isFirst = true;
    const onImport = async (done: ImportResult): Promise<void> => {
      progress.end();
      const isRecorded = done.answer.status === 'recorded';
      if (isFirst || isRecorded || done.problems.length !== problems) await printImport(app.notes, done, options);
      problems = done.problems.length;
      process.exitCode = undefined;
      if (isFirst) say(`watching ${path}; stop with Ctrl-C`);
      isFirst = false;
      await syncAfterwards(app, options.sync && isRecorded);
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
