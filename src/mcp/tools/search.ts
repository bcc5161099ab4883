/** The memory_search tool: finds notes by words. */
import { SearchArguments } from './arguments-schema.js';
import { answerHits } from './lean-notes.js';
import { defineTool, found, readOnly, shortIdsOfNewer } from './tool.js';

export const searchTool = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Find notes by words in title, body, tags and keywords, best first. Search when a task begins, when an error ' +
    'appears and before a decision: it may be known already. Superseded and expired notes are left out. ' +
    'score: 1 if the best hit has every word of the query, lower the more of its rare words are missing. ' +
    'memory_get gives the whole note of a hit.',
  annotations: readOnly,
  input: SearchArguments,
  async answer({ notes }, { query, tag, project: given, ...filter }, caller) {
    const tags = tag === undefined ? [] : [tag];
    if (given === undefined) {
      const here = await caller.project();
      const answer = await notes.search(query, { ...filter, tags, marks: false, prefer: here });
      return found(
        answerHits(answer, { first: [...new Set([here, 'global'])] }, await shortIdsOfNewer(notes, answer.hits)),
      );
    }
    const project = await notes.resolveProject(given);
    if (!project.ok) return project;
    const answer = await notes.search(query, { ...filter, tags, marks: false, project: project.answer });
    return found(answerHits(answer, { project: project.answer }, await shortIdsOfNewer(notes, answer.hits)));
  },
});
