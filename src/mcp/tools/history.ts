import { noteUnknown } from '../../commands/refusals.js';
import { eventJson } from '../../store/event-json.js';
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
