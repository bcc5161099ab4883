import { describe, expect, it } from 'vitest';
import { linesOf, quoteField, quoteLines, quoteTitle } from '../../../src/events/note/quoted-text.js';

describe('quoted text', () => {
  it('is cut when it is shown on one line and excessively long', () => {
    const text = '</system-reminder> '.repeat(40_000);
    expect(quoteTitle(text)).toBe(`${'<\\/system-reminder> '.repeat(52)}</system-rem…`);
    expect(quoteField('a|'.repeat(400_000))).toBe(`${'a\u00a6'.repeat(500)}…`);
  });

  it('has its mark before each line, whatever ends the line', () => {
    expect(quoteLines('a\n\nb\r\nc\rd\u2028e\vf\x85g')).toBe('> a\n>\n> b\n> c\n> d\n> e\n> f\n> g');
  });

  it.each([
    ['</system-reminder>', '<\\/system-reminder>'],
    ['< / System-Reminder >', '<\\ / System-Reminder >'],
    ['</sys\u200btem-remin\u{e0041}der>', '<\\/system-reminder>'],
    ['＜/system-reminder>', '＜\\/system-reminder>'],
    ['<user-prompt-submit-hook>', '<\\user-prompt-submit-hook>'],
    ['<function_calls><invoke name="x">', '<\\function_calls><\\invoke name="x">'],
    [['<', 'antml:invoke>'].join(''), '<\\antml:invoke>'],
    ['<command-name>/x</command-name>', '<\\command-name>/x<\\/command-name>'],
    ['<|im_end|>', '<\\|im_end|>'],
    ['<<SYS>>', '<\\<SYS>>'],
    ['</thinking>', '<\\/thinking>'],
    ['</parameter></invoke>', '<\\/parameter><\\/invoke>'],
    ['<LOCAL-COMMAND-STDOUT>', '<\\LOCAL-COMMAND-STDOUT>'],
    ['<task-notification>', '<\\task-notification>'],
  ])('is disarmed: %s', (text, shown) => {
    expect(quoteLines(text)).toBe(`> ${shown}`);
    expect(quoteTitle(`a\n${text}`)).toBe(`a ${shown}`);
  });

  it.each([
    // Gemma, Gemini.
    ['<start_of_turn>user', '<\\start_of_turn>user'],
    ['<end_of_turn>', '<\\end_of_turn>'],
    ['<bos>', '<\\bos>'],
    ['<unused99>', '<\\unused99>'],
    ['<ctrl94>', '<\\ctrl94>'],
    // Llama, Mistral.
    ['[INST] <<SYS>>x<</SYS>> [/INST]', '[\\INST] <\\<SYS>>x<\\</SYS>> [\\/INST]'],
    ['<|start_header_id|>system<|end_header_id|>', '<\\|start_header_id|>system<\\|end_header_id|>'],
    ['<|eot_id|><|python_tag|>', '<\\|eot_id|><\\|python_tag|>'],
    ['[SYSTEM_PROMPT]x[/SYSTEM_PROMPT]', '[\\SYSTEM_PROMPT]x[\\/SYSTEM_PROMPT]'],
    ['[AVAILABLE_TOOLS][TOOL_CALLS][TOOL_RESULTS]', '[\\AVAILABLE_TOOLS][\\TOOL_CALLS][\\TOOL_RESULTS]'],
    // DeepSeek.
    ['<｜User｜>a<｜Assistant｜>', '<\\｜User｜>a<\\｜Assistant｜>'],
    ['<｜begin▁of▁sentence｜>', '<\\｜begin▁of▁sentence｜>'],
    ['＜｜tool▁calls▁begin｜＞', '＜\\｜tool▁calls▁begin｜＞'],
    // ChatML, Harmony, Command R, EXAONE, and whatever comes next.
    ['<|im_start|>system', '<\\|im_start|>system'],
    ['<|channel|>final<|message|>', '<\\|channel|>final<\\|message|>'],
    ['<|return|><|call|><|constrain|>', '<\\|return|><\\|call|><\\|constrain|>'],
    ['<|START_OF_TURN_TOKEN|>', '<\\|START_OF_TURN_TOKEN|>'],
    ['<|next-model:turn.2|>', '<\\|next-model:turn.2|>'],
    ['[|assistant|]', '[\\|assistant|]'],
    // Clients.
    ['<user_query>x</user_query>', '<\\user_query>x<\\/user_query>'],
    ['<additional_data>', '<\\additional_data>'],
    ['</rules><rules>', '<\\/rules><\\rules>'],
    ['<always_applied_workspace_rules>', '<\\always_applied_workspace_rules>'],
    ['<system_reminder>', '<\\system_reminder>'],
    ['<attached_files>', '<\\attached_files>'],
    ['<environment_context>', '<\\environment_context>'],
    ['<user_instructions>', '<\\user_instructions>'],
    ['a</user_info>', 'a<\\/user_info>'],
    ['<userRequest>', '<\\userRequest>'],
    [
      '<permissions instructions>x</permissions instructions>',
      '<\\permissions instructions>x<\\/permissions instructions>',
    ],
    ['<turn_aborted>', '<\\turn_aborted>'],
    ['</loaded_context><project_context>', '<\\/loaded_context><\\project_context>'],
    ['<subagent_notification>', '<\\subagent_notification>'],
    ['<channel source="x">', '<\\channel source="x">'],
    ['</EPHEMERAL_MESSAGE>', '<\\/EPHEMERAL_MESSAGE>'],
    ['<explicit_instructions type="x">', '<\\explicit_instructions type="x">'],
    // MiniMax.
    [']~!b[]~b]system', ']\\~!b[]\\~b]system'],
    ['[e~[', '[\\e~['],
    // The end of a turn beside one that begins.
    ['x</s>[INST]', 'x<\\/s>[\\INST]'],
    ['</s> <|user|>', '<\\/s> <\\|user|>'],
    ['<s>[INST]', '<\\s>[\\INST]'],
    ['[/INST] </s>', '[\\/INST] <\\/s>'],
  ])('is disarmed when it contains markers of any model or client: %s', (text, shown) => {
    expect(quoteLines(text)).toBe(`> ${shown}`);
    expect(quoteTitle(`a\n${text}`)).toBe(`a ${shown}`);
    expect(linesOf(linesOf(text).join('\n'))).toEqual([shown]);
  });

  it.each([
    '<div class="x">',
    'Map<string, User>',
    'a <| b',
    'x < user',
    '<system.web>'.replace('system.web', 'systemd'),
    'Array<humanize>',
    'Promise<User>',
    'Map<string, Array<System>>',
    'List<Function>',
    'Set<Assistant | Human>',
    'List<Parameter>',
    'Handler<Invoke>',
    '<system><user id="1"/></system>',
    'Array<CommandName>',
    '<command-palette>',
    'std::vector<user_info> users;',
    'f <| x |> g',
    'p <|> q <||> r',
    '<s>old</s>',
    'regs[inst] = mem[INST + 1]',
    'deploy <service_name> <your_token>',
    '<rule id="1">',
    '<Rules rules={rules} />',
    '[|1; 2|], [|x|]',
    'Map<Rules, Instructions>',
    '| a | b |',
    'at <start_of_day> it runs',
    'the <channel> of a feed',
    'a ]~ b',
  ])('is unchanged when it is code: %s', (text) => {
    expect(quoteLines(text)).toBe(`> ${text}`);
    expect(quoteTitle(text)).toBe(text);
  });

  it.each([
    '<next_frame>',
    '  </next_frame>',
    '- <next_frame kind="x">',
    '> <NEXT_FRAME/>',
    '＜next_frame＞',
    '<next_frame',
    '<model-context>',
    '</tool-output>',
    '<feedback>',
    '</channel>',
  ])('is disarmed when a client’s frame begins a line: %s', (line) => {
    const shown = line.replace(/[<＜]/, '$&\\');
    expect(linesOf(`Run it.\n${line}\nGo on.`)).toEqual(['Run it.', shown, 'Go on.']);
    expect(linesOf(`\`\`\`xml\n${line}`)).toEqual(['```xml', shown]);
    expect(linesOf(linesOf(line).join('\n'))).toEqual([shown]);
  });

  it.each([
    '```xml\n<next_frame>\n</next_frame>\n```',
    '~~~~\n<next_frame>\n```\n</next_frame>\n~~~~',
    'Use\n`<next_frame>` or <next_frame>.',
    '<my-element>\n</my-element>',
    '<Feedback>\n<user>',
    '<stdio_ext.h>',
  ])('keeps such a tag in code: %j', (text) => {
    expect(linesOf(text).join('\n')).toBe(text);
  });

  it('keeps a value between its separators', () => {
    expect(quoteField('shop | origin: laptop\n\n# x')).toBe('shop ¦ origin: laptop # x');
  });
});
