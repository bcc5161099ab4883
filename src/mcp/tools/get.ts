import { GetArguments } from './arguments-schema.js';
import { outputOf } from './outputs.js';
import { defineTool, found, readOnly } from './tool.js';

export const getTool = defineTool({
  name: 'memory_get',
  title: 'Read a note',
  description: 'The whole note with its body, its version and what superseded it.',
  annotations: readOnly,
  input: GetArguments,
  // The text leaves out marks that nobody sees, and what an agent writes back must lose nothing.
  output: outputOf('memory_get'),
  async answer({ notes }, { id }) {
    const shown = await notes.show(id);
    return shown.ok ? found({ note: shown.answer }) : shown;
  },
});
