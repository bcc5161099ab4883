import { StatusArguments } from './arguments-schema.js';
import { outputOf } from './outputs.js';
import { defineTool, found, readOnly } from './tool.js';

export const statusTool = defineTool({
  name: 'memory_status',
  title: 'Memory status',
  description: 'Where the store is, its notes by type and project, files changed by hand or unreadable, sync.',
  annotations: readOnly,
  input: StatusArguments,
  output: outputOf('memory_status'),
  answer: async ({ maintenance }) => found(await maintenance.status()),
});
