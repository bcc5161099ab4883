/** The memory_edit tool: sets fields of a note and keeps the others. */
import { nothingToDo } from '../../commands/refusals.js';
import { EditArguments } from './arguments-schema.js';
import { answerChange, askerOf, defineTool, refused } from './tool.js';

export const editTool = defineTool({
  name: 'memory_edit',
  title: 'Edit a note',
  description:
    'Set fields of a note; other fields stay, a list or body is replaced as a whole. For corrections: when what ' +
    'was true has changed, write a note that supersedes it. History keeps every version.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: EditArguments,
  async answer(
    { notes },
    { id, expected_version: expectedVersion, expires_at: expiresAt, resolved_by: resolvers, ...fields },
    caller,
  ) {
    const { project: given } = fields;
    const named = given === undefined ? undefined : await notes.nameProject(given, await caller.project());
    if (named?.ok === false) return named;
    const project = named?.answer;
    const resolvedBy = resolvers === null ? [] : resolvers;
    const set = { ...fields, project: project?.key, expiresAt, resolvedBy };
    if (Object.values(set).every((value) => value === undefined)) {
      return refused(nothingToDo('the edit sets no field', 'name at least one, such as title, body or tags'));
    }
    return answerChange(notes, await notes.edit(id, { set, expectedVersion }, askerOf(caller)), project?.warnings);
  },
});
