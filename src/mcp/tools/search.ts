import { SearchArguments } from './arguments-schema.js';
import { outputOf } from './outputs.js';
import { defineTool, found, readOnly } from './tool.js';

export const searchTool = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Find notes by words in title, body, tags and keywords, best first. Search when a task begins, when an error ' +
    'appears and before a decision: it may be known already. Superseded and expired notes are left out. ' +
    'memory_get gives the whole note of a hit.',
  annotations: readOnly,
  input: SearchArguments,
  output: outputOf('memory_search'),
  answer: async ({ notes }, { query, tag, ...options }) =>
    found(await notes.search(query, { ...options, tags: tag === undefined ? [] : [tag] })),
});
