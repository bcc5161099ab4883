/** The memory_write tool: stores a new note. */
import { WriteArguments } from './arguments-schema.js';
import { answerChange, askerOf, defineTool, found } from './tool.js';

export const writeTool = defineTool({
  name: 'memory_write',
  title: 'Write a note',
  description:
    'Store one self-contained thing worth knowing later: how something is done, a fact, a decision with its reason, ' +
    'the cause of an error. Search first: edit or supersede what is there instead of repeating it. Not for what the ' +
    'code or git already says. Secrets are masked.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  input: WriteArguments,
  async answer({ notes }, { project: given, supersedes = [], tags = [], keywords = [], ...fields }, caller) {
    const { expires_at: expiresAt, ...rest } = fields;
    const here = await caller.project();
    const named = given === undefined ? found({ key: { here }, warnings: [] }) : await notes.nameProject(given, here);
    if (!named.ok) return named;
    const { key: project, warnings } = named.answer;
    const older = typeof supersedes === 'string' ? [supersedes] : supersedes;
    const note = { ...rest, project, tags, keywords, expiresAt, supersedes: older };
    return answerChange(notes, await notes.write(note, askerOf(caller)), warnings);
  },
});
