/** Decides which of our tools an agent may call without asking. Pure. */

const readOnlyTools: ReadonlySet<string> = new Set([
  'memory_search',
  'memory_list',
  'memory_status',
  'memory_get',
  'memory_history',
]);

/**
 * Approves only tools of our own server or plugin: another may have a memory_search too. A write is approved if the
 * owner chose so, because it can be undone; an edit or a forget never is.
 */
export const isApproved = (
  toolName: string,
  { server, approveWrite }: { readonly server: string; readonly approveWrite: boolean },
): boolean => {
  const tool = [`mcp__${server}__`, 'mcp__plugin_anamnesis_anamnesis__'].flatMap((prefix) =>
    toolName.startsWith(prefix) ? [toolName.slice(prefix.length)] : [],
  )[0];
  if (tool === undefined) return false;
  return readOnlyTools.has(tool) || (approveWrite && tool === 'memory_write');
};
