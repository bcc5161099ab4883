import { StatusArguments } from './arguments-schema.js';
import { leanStatus } from './lean-status.js';
import { defineTool, found, readOnly } from './tool.js';

export const statusTool = defineTool({
  name: 'memory_status',
  title: 'Memory status',
  description: 'Where the store is, what is wrong in it or waits for somebody, notes by type and project, sync.',
  annotations: readOnly,
  input: StatusArguments,
  answer: async ({ maintenance }, _given, caller) =>
    found(leanStatus(await maintenance.status(), await caller.project())),
});
