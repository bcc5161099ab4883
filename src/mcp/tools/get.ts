/** The memory_get tool: reads a whole note. */
import { GetArguments } from './arguments-schema.js';
import { defineTool, found, readOnly } from './tool.js';

export const getTool = defineTool({
  name: 'memory_get',
  title: 'Read a note',
  description: 'The whole note with its body, its version and what superseded it.',
  annotations: readOnly,
  input: GetArguments,
  // An agent may write the text back and must not lose anything in doing so.
  unseenMarks: 'escaped',
  async answer({ notes }, { id }) {
    const shown = await notes.show(id);
    return shown.ok ? found({ note: shown.answer }) : shown;
  },
});
