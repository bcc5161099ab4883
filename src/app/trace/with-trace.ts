/** Wraps the note use cases so that what was asked and given leaves a trace. */
import { offeredIn, trace } from '../../store/trace-file.js';
import type { Access } from '../access.js';
import type { Notes } from '../notes.js';
import type { Stores } from '../stores.js';

/** Traces only if there is a store: asking doesn't create one. */
export const withTrace = (notes: Notes, { settings, exists }: Stores, { user, workspace }: Access): Notes => {
  const keep = (traced: Parameters<typeof trace>[1]): void => {
    if (exists()) trace(settings, { ...traced, user: user ?? settings.user, workspace });
  };
  return {
    ...notes,
    async search(text, asked) {
      const answer = await notes.search(text, asked);
      if (asked.at === undefined) {
        const { hits, total, about } = answer;
        const project = asked.project ?? asked.prefer;
        keep({
          by: 'search',
          query: text,
          project,
          mode: about.mode,
          total,
          notes: hits.map(({ id, score }) => [id, score]),
        });
      }
      return answer;
    },
    async show(given, at) {
      const shown = await notes.show(given, at);
      if (shown.ok && at === undefined) keep({ by: 'open', notes: [[shown.answer.id, null]] });
      return shown;
    },
    async inject(project, asked) {
      const injection = await notes.inject(project, asked);
      keep({ by: 'inject', project, notes: injection.ids.map((id) => [id, null]) });
      return injection;
    },
    async recall(prompt, asked) {
      const answer = await notes.recall(prompt, asked);
      const { project } = asked;
      keep({ by: 'recall', query: prompt, project, ...offeredIn(answer.notes, answer.explain, answer.maybe) });
      return answer;
    },
  };
};
