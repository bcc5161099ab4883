/** The memory_status tool: reports the state of the store. */
import { StatusArguments } from './arguments-schema.js';
import { leanStatus } from './lean-status.js';
import { defineTool, found, readOnly } from './tool.js';

export const statusTool = defineTool({
  name: 'memory_status',
  title: 'Memory status',
  description: 'Where the store is, what is wrong with it or needs a decision, notes by type and project, sync.',
  annotations: readOnly,
  input: StatusArguments,
  async answer(app, _given, caller) {
    const { readStatus } = await import('../../app/status.js');
    return found(leanStatus(await readStatus(await app.whole()), await caller.project()));
  },
});
