import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HookInput, parsePayload } from '../../../src/agents/hooks/payload.js';
import { isApproved } from '../../../src/agents/hooks/permission.js';
import { searchTextOf, typedTextOf } from '../../../src/agents/hooks/prompt.js';
import { anyCharacter } from '../../support/any-character.js';

describe('the payload of a hook', () => {
  it('is read from one JSON object', () => {
    const payload = parsePayload(
      '{"session_id":"s1","transcript_path":"/t.jsonl","cwd":"/work","hook_event_name":"SessionStart","source":"startup"}\n',
    );
    expect(payload).toMatchObject({ session: 's1', transcript: '/t.jsonl', cwd: '/work', source: 'startup' });
  });
  it('has empty texts for fields that are missing or of another type', () => {
    expect(parsePayload('{"session_id":7,"cwd":null,"prompt":["x"]}')).toMatchObject({
      session: '',
      cwd: '',
      prompt: '',
    });
  });
  it.each(['work/shop', '.', 'file:///work', `/${'a/'.repeat(2048)}`])('does not accept %.20s as a folder', (cwd) => {
    expect(parsePayload(JSON.stringify({ cwd }))).toMatchObject({ cwd: '' });
  });
  it.each(['/', `/${'a/'.repeat(2047)}`, 'C:\\work', 'd:/work', '\\\\server\\share'])(
    'accepts %.20s as a folder',
    (cwd) => {
      expect(parsePayload(JSON.stringify({ cwd }))).toMatchObject({ cwd });
    },
  );
  it('is undefined for anything but an object, and never throws', () => {
    for (const text of ['', 'null', '[]', '"x"', '{', '\0', '{"a":1}{"b":2}'])
      expect(parsePayload(text)).toBeUndefined();
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => void parsePayload(text)));
  });
  it('is read as JSON.parse reads it', () => {
    const fields = fc.record(
      {
        session_id: fc.string({ unit: anyCharacter }),
        cwd: fc.string().map((text) => `/${text}`),
        prompt: fc.jsonValue(),
        stop_hook_active: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const any = fc.tuple(fields, fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'));
    fc.assert(
      fc.property(any, ([known, others, indent]) => {
        const text = JSON.stringify({ ...others, ...known }, undefined, indent);
        const value = JSON.parse(text);
        const textOf = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
        expect(parsePayload(text)).toMatchObject({
          session: textOf('session_id'),
          cwd: textOf('cwd'),
          prompt: textOf('prompt'),
          isContinued: value.stop_hook_active === true,
        });
      }),
    );
  });
  it('has the last value of a repeated field, even if its name is escaped', () => {
    expect(parsePayload('{"cwd":"/a","c\\u0077d":"/b","session_id":"x","session_id":1}')).toMatchObject({
      cwd: '/b',
      session: '',
    });
  });
  it.each([
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a":1 "b":2}',
    '{"a":[}',
    '{"a":"x}',
    '{"a":tru}',
    '{a:1}',
    '{"a":1}]',
  ])('is undefined for %s', (text) => expect(parsePayload(text)).toBeUndefined());
  it('is not misled by __proto__', () => {
    expect(parsePayload('{"__proto__":{"session_id":"x"}}')?.session).toBe('');
  });
});

describe('the input of a hook', () => {
  const text = '{"session_id":"s1","prompt":"où est } le déploiement 😀"}\n';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(text, 'utf16le').swap16();
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', little],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['big-endian UTF-16', big],
    ['big-endian UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ])('is complete with the last brace, whatever pieces it comes in: %s', (_, bytes) => {
    for (const size of [1, 2, 3, 12, 1000]) {
      const input = new HookInput();
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const complete = pieces.findIndex((piece) => input.add(Buffer.from(piece)));
      expect(complete).not.toBe(-1);
      expect(parsePayload(input.text)).toMatchObject({ session: 's1', prompt: 'où est } le déploiement 😀' });
    }
  });
  it('of more than 32 MiB is dropped', () => {
    const input = new HookInput();
    const mebibyte = Buffer.alloc(1024 * 1024, ' ');
    for (let at = 0; at < 32; at += 1) expect(input.add(mebibyte)).toBe(false);
    expect(input.add(Buffer.from('{}'))).toBe(false);
    expect(input.text).toBe('');
  });
});

describe('a prompt', () => {
  it.each([
    ['<task-notification>done</task-notification>'],
    ['<command-name>/clear</command-name>'],
    ['<system-reminder>x</system-reminder>'],
    ['This session is being continued from a previous conversation'],
    ['[Request interrupted by user]'],
    ['/compact'],
    ['   '],
  ])('that no person typed or that asks nothing is not searched for: %s', (prompt) => {
    expect(searchTextOf(typedTextOf(prompt, ''))).toBe('');
  });
  it('from a schedule is not searched for', () => {
    expect(searchTextOf(typedTextOf('run the nightly job', 'schedule_wakeup'))).toBe('');
    expect(searchTextOf(typedTextOf('run the nightly job', 'user'))).toBe('run the nightly job');
  });
  it('loses what the editor put before it', () => {
    expect(
      searchTextOf(typedTextOf('<ide_opened_file>The user opened a.ts</ide_opened_file>\nwhy does it hang', '')),
    ).toBe('why does it hang');
  });
  it('keeps the words of a slash command with arguments', () => {
    expect(searchTextOf(typedTextOf('/review the refund webhook', ''))).toBe('/review the refund webhook');
  });
});

describe('a tool', () => {
  const approvingWrites = { server: 'anamnesis', approveWrite: true };
  const askingForWrites = { server: 'anamnesis', approveWrite: false };
  it.each(['memory_search', 'memory_list', 'memory_status', 'memory_get', 'memory_history'])(
    'that only reads is approved: %s',
    (tool) => {
      expect(isApproved(`mcp__anamnesis__${tool}`, askingForWrites)).toBe(true);
      expect(isApproved(`mcp__plugin_anamnesis_anamnesis__${tool}`, askingForWrites)).toBe(true);
    },
  );
  it('that writes is approved only if its owner chose so', () => {
    expect(isApproved('mcp__anamnesis__memory_write', askingForWrites)).toBe(false);
    expect(isApproved('mcp__anamnesis__memory_write', approvingWrites)).toBe(true);
  });
  it.each(['memory_forget', 'memory_edit', 'memory_sync', 'secret_get', 'memory_search_and_forget', ''])(
    'that can remove or give away something is never approved: %s',
    (tool) => {
      expect(isApproved(`mcp__anamnesis__${tool}`, approvingWrites)).toBe(false);
    },
  );
  it('of another server is never approved, whatever it is called', () => {
    for (const name of ['mcp__other__memory_search', 'memory_search', 'mcp__anamnesis2__memory_search', 'Bash'])
      expect(isApproved(name, approvingWrites)).toBe(false);
  });
  it('is known under the name that the server was registered with', () => {
    expect(isApproved('mcp__notes__memory_search', { server: 'notes', approveWrite: false })).toBe(true);
    expect(isApproved('mcp__anamnesis__memory_search', { server: 'notes', approveWrite: false })).toBe(false);
  });
});
