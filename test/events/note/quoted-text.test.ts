import { describe, expect, it } from 'vitest';
import { quoteField, quoteLines, quoteTitle } from '../../../src/events/note/quoted-text.js';

describe('quoted text', () => {
  it('has its mark before each line, whatever ends one', () => {
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
  ])('disarms %s', (text, shown) => {
    expect(quoteLines(text)).toBe(`> ${shown}`);
    expect(quoteTitle(`a\n${text}`)).toBe(`a ${shown}`);
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
  ])('leaves code as it is: %s', (text) => {
    expect(quoteLines(text)).toBe(`> ${text}`);
    expect(quoteTitle(text)).toBe(text);
  });

  it('keeps a value between its bars', () => {
    expect(quoteField('shop | origin: laptop\n\n# x')).toBe('shop ¦ origin: laptop # x');
  });
});
