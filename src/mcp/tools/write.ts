import type { Memory } from '../../store/memory.js';
import type { Found } from '../../store/reading.js';
import { WriteArguments } from './arguments-schema.js';
import { answerChange } from './change.js';
import { changedOutput } from './outputs.js';
import { defineTool } from './tool.js';

export const writeTool = defineTool({
  name: 'memory_write',
  title: 'Write a note',
  description:
    'Store one self-contained thing worth knowing later: how something is done, a fact, a decision with its reason, ' +
    'the cause of an error. Search first: edit or supersede what is there instead of repeating it. Not for what the ' +
    'code or git already says. Secrets are masked.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  input: WriteArguments,
  output: changedOutput,
  async answer(memory, { supersedes = [], expires_at: expiresAt, tags = [], keywords = [], ...rest }, asker) {
    const older = await resolveAll(memory, typeof supersedes === 'string' ? [supersedes] : supersedes);
    if (!older.ok) return older;
    const command = { kind: 'write', ...rest, tags, keywords, expiresAt, supersedes: older.answer } as const;
    return answerChange(await memory.perform(command, asker));
  },
});

const resolveAll = async (memory: Memory, given: readonly string[]): Promise<Found<readonly string[]>> => {
  const ids: string[] = [];
  for (const one of given) {
    const id = await memory.resolveId(one);
    if (!id.ok) return id;
    ids.push(id.answer);
  }
  return { ok: true, answer: ids };
};
