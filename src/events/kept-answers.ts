/** Answers that follow from object ids alone and so stay true: within a command git is asked for each once. */

/** The newest `most` answers by key; asked for twice at once, there is one question. What `isFinal` denies is not kept. */
export const keepAnswers = <Answer>(
  most: number,
  isFinal: (answer: Answer) => boolean = () => true,
): ((key: string, ask: () => Promise<Answer>) => Promise<Answer>) => {
  const answers = new Map<string, Promise<Answer>>();
  return async (key, ask) => {
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
