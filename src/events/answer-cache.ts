/** Caches answers that depend on object ids alone and so never change: a command asks git for each once. */
import { isObjectId } from './note/blob-id.js';

/** Caches the newest `most` answers by object ids; concurrent callers share a call. Not for a ref, which moves. */
export const cacheAnswers = <Answer>(
  most: number,
  isFinal: (answer: Answer) => boolean = () => true,
): ((gitDir: string, ids: readonly (string | undefined)[], ask: () => Promise<Answer>) => Promise<Answer>) => {
  const answers = new Map<string, Promise<Answer>>();
  return async (gitDir, ids, ask) => {
    if (ids.some((id) => id !== undefined && !isObjectId(id))) return ask();
    const key = [gitDir, ...ids].join('\0');
    const kept = answers.get(key);
    if (kept !== undefined) return kept;
    const asked = ask();
    answers.set(key, asked);
    const [oldest = key] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    try {
      const answer = await asked;
      if (!isFinal(answer)) answers.delete(key);
      return answer;
    } catch (error) {
      answers.delete(key);
      throw error;
    }
  };
};
