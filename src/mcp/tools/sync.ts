/** The memory_sync tool: exchanges notes with the remote. */
import { SyncArguments } from './arguments-schema.js';
import { defineTool, found } from './tool.js';

export const syncTool = defineTool({
  name: 'memory_sync',
  title: 'Sync memory',
  description: 'Exchange notes with the other machines through the remote.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: SyncArguments,
  async answer(app, { force }) {
    const { syncStore } = await import('../../sync/syncing.js');
    return found(await syncStore(await app.whole(), { background: !force }));
  },
});
