/** One answer of the model, whole and as the events of a stream. Pure. */

export type AssistantAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export type AnswerFrame = {
  /** Becomes part of the ids of the message and of its tool call. */
  readonly id: number;
  readonly model: string;
  /** Length of the request, from which the client derives the cost of a session and when to compact. */
  readonly inputChars: number;
};

export const streamOf = (
  answer: AssistantAnswer,
  { id, model, inputChars }: AnswerFrame,
): { readonly events: readonly StreamEvent[]; readonly message: Readonly<Record<string, unknown>> } => {
  const usage = {
    input_tokens: Math.ceil(inputChars / 4),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 10,
  };
  const stopReason = answer.kind === 'text' ? 'end_turn' : 'tool_use';
  const frame = { id: `msg_mock_${id}`, type: 'message', role: 'assistant', model };
  const block =
    answer.kind === 'text'
      ? { type: 'text', text: answer.text }
      : { type: 'tool_use', id: `toolu_mock_${id}`, name: answer.name, input: answer.input };
  return {
    message: { ...frame, content: [block], stop_reason: stopReason, stop_sequence: null, usage },
    events: [
      { type: 'message_start', message: { ...frame, content: [], stop_reason: null, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block: emptyBlock(answer, id) },
      ...deltasOf(answer).map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason, stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      },
      { type: 'message_stop' },
    ],
  };
};

const emptyBlock = (answer: AssistantAnswer, id: number) =>
  answer.kind === 'text'
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `toolu_mock_${id}`, name: answer.name, input: {} };

/** Two pieces if the text is long enough, so that a client that reads only the first is noticed. */
const deltasOf = (answer: AssistantAnswer) => {
  const text = answer.kind === 'text' ? answer.text : JSON.stringify(answer.input);
  const pieces = [text.slice(0, 12), text.slice(12)].filter((piece, at) => at === 0 || piece !== '');
  return pieces.map((piece) =>
    answer.kind === 'text' ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
  );
};
