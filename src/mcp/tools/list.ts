/** The memory_list tool: lists the newest notes without their bodies. */
import { ListArguments } from './arguments-schema.js';
import { leanNote } from './lean-notes.js';
import { defineTool, found, readOnly, shortIdsOfNewer } from './tool.js';

export const listTool = defineTool({
  name: 'memory_list',
  title: 'List notes',
  description:
    'Newest notes without their bodies, superseded ones too: to see what a project has, or what changed last.',
  annotations: readOnly,
  input: ListArguments,
  async answer({ notes }, { limit, project: given, ...filter }) {
    const project = given === undefined ? undefined : await notes.resolveProject(given);
    if (project?.ok === false) return project;
    const { notes: listed, total } = await notes.list({ ...filter, project: project?.answer }, limit);
    const shortIdOf = await shortIdsOfNewer(notes, listed);
    return found({ notes: listed.map((note) => leanNote(note, shortIdOf)), total });
  },
});
