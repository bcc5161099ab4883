/** The actions of `inject` and `recall`, shared by the quick path and commander's; loads no commander. */
import type { RecallAnswer } from '../../app/notes.js';
import { wrongUsage } from '../errors.js';
import { isTerminal, printJson, printWhole, say } from '../output.js';
import { projectOrNew } from '../project-here.js';
import { withApp } from '../session.js';

export const recallDefaults = { k: 8, budget: 9500, promptNotes: 5 } as const;

type PrintedInjection = {
  readonly project?: string | undefined;
  readonly k: number;
  readonly budget: number;
  readonly json?: boolean | undefined;
};

export const printInjection = async ({ project, k, budget, json }: PrintedInjection): Promise<void> => {
  await withApp(async (app) => {
    const { key, warnings } = await projectOrNew(app, project);
    const { text } = await app.notes.inject(key, { k, budget });
    if (json === true) printJson({ project: key, text, units: text.length, warnings });
    else printWhole(text);
  });
};

type PrintedRecall = {
  readonly prompt: string;
  readonly project?: string | undefined;
  readonly k: number;
  readonly json?: boolean | undefined;
  /** If given, how the notes were judged is printed, in these words. */
  readonly formatHow?: ((answer: RecallAnswer) => string) | undefined;
};

/** Prints the notes that a prompt would get, whatever its session already has. */
export const printRecall = async ({ prompt, project, k, json, formatHow }: PrintedRecall): Promise<void> => {
  if (prompt.trim() === '')
    throw wrongUsage('the prompt is empty', "give one: anamnesis recall 'why does the deploy hang'");
  await withApp(async (app) => {
    const { key, warnings } = await projectOrNew(app, project);
    const asked = { project: key, k, budget: recallDefaults.budget };
    const answer = await app.notes.recall(prompt, asked);
    const { text, ids, notes: recalled, maybe, explain } = answer;
    if (json === true)
      printJson({ project: key, text, ids, notes: recalled, maybe, explain: formatHow && explain, warnings });
    else printWhole(text + (formatHow?.(answer) ?? ''));
    if (json !== true && text === '' && isTerminal('stderr'))
      say('no note fits that prompt well enough; anamnesis search prints all that share a word with it');
  });
};
