import { ListArguments } from './arguments-schema.js';
import { outputOf } from './outputs.js';
import { defineTool, found, readOnly } from './tool.js';

export const listTool = defineTool({
  name: 'memory_list',
  title: 'List notes',
  description:
    'Newest notes without their bodies, superseded ones too: to see what a project has, or what changed last.',
  annotations: readOnly,
  input: ListArguments,
  output: outputOf('memory_list'),
  answer: async ({ notes }, { limit, ...filter }) => found(await notes.list(filter, limit)),
});
