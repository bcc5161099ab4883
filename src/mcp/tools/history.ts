/** The memory_history tool: lists the events of a note. */
import { HistoryArguments } from './arguments-schema.js';
import { defineTool, found, readOnly } from './tool.js';

export const historyTool = defineTool({
  name: 'memory_history',
  title: 'History of a note',
  description: 'Who wrote, edited, superseded or forgot a note and when, newest first; works for a forgotten note too.',
  annotations: readOnly,
  input: HistoryArguments,
  async answer(app, { id, limit }) {
    const { readEventsOfNote } = await import('../../app/history.js');
    const events = await readEventsOfNote(await app.wholeToRead(), id, limit);
    return events.ok ? found({ events: events.answer.events }) : events;
  },
});
