/** The memory_forget tool: forgets a note, which a person can restore. */
import { ForgetArguments } from './arguments-schema.js';
import { askerOf, defineTool, found, refused, withShortIds } from './tool.js';

export const forgetTool = defineTool({
  name: 'memory_forget',
  title: 'Forget a note',
  description:
    'Forget a note that is wrong or useless. Its text stays in history, and a person can restore it. ' +
    'When something newer is true, supersede it with memory_write instead.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: ForgetArguments,
  async answer({ notes }, { id: given, reason }, caller) {
    const done = await notes.forget([given], reason, askerOf(caller));
    if (!done.ok) return done;
    const [forgotten] = done.answer;
    if (forgotten === undefined) throw new Error('forgetting one note gave no answer');
    const { id, answer } = forgotten;
    if (answer.status === 'refused') return refused(answer.refusal);
    const { event, status } = answer;
    const warnings = await withShortIds(notes, answer.warnings);
    const said = warnings.length === 0 ? {} : { warnings };
    return found({ id, ...(event === undefined ? {} : { event }), status, ...said });
  },
});
