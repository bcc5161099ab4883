import { noteUnknown } from '../../commands/refusals.js';
import type { ListedEvent } from '../../projections/history/query.js';
import { HistoryArguments } from './arguments-schema.js';
import { eventsOutput } from './outputs.js';
import { defineTool, found, readOnly, refused } from './tool.js';

export const historyTool = defineTool({
  name: 'memory_history',
  title: 'History of a note',
  description: 'Who wrote, edited, superseded or forgot a note and when, newest first; of a forgotten note too.',
  annotations: readOnly,
  input: HistoryArguments,
  output: eventsOutput,
  async answer(memory, { id: given, limit }) {
    const id = await memory.resolveId(given);
    if (!id.ok) return id;
    const events = await memory.events({ note: id.answer }, limit);
    return events.length === 0 ? refused(noteUnknown(id.answer)) : found({ events: events.map(eventJson) });
  },
});

/** The fields that `anamnesis log --json` has under the same names, and who asked. */
const eventJson = (event: ListedEvent): object => ({
  id: event.id,
  kind: event.kind,
  at: event.at,
  machine: event.machine,
  subject: event.subject,
  note_count: event.noteCount,
  journal: event.journal,
  commit: event.commit,
  by: event.by,
  reason: event.reason,
  agent: event.agent,
  session: event.session,
  user: event.user,
  project: event.project,
});
