import { WriteArguments } from './arguments-schema.js';
import { answerChange } from './change.js';
import { outputOf } from './outputs.js';
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
  output: outputOf('memory_write'),
  async answer({ notes }, { supersedes = [], expires_at: expiresAt, tags = [], keywords = [], ...rest }, asker) {
    const older = typeof supersedes === 'string' ? [supersedes] : supersedes;
    return answerChange(await notes.write({ ...rest, tags, keywords, expiresAt, supersedes: older }, asker));
  },
});
