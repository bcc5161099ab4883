/** The tools in the order that clients list them. */
import { editTool } from './edit.js';
import { forgetTool } from './forget.js';
import { getTool } from './get.js';
import { historyTool } from './history.js';
import { listTool } from './list.js';
import { searchTool } from './search.js';
import { statusTool } from './status.js';
import { syncTool } from './sync.js';
import type { Tool } from './tool.js';
import { writeTool } from './write.js';

export const tools: readonly Tool[] = [
  searchTool,
  listTool,
  statusTool,
  writeTool,
  getTool,
  editTool,
  forgetTool,
  historyTool,
  syncTool,
];
