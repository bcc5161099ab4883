import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePayload } from '../../../src/commands/hooks/payload.js';
import { isApproved } from '../../../src/commands/hooks/permission.js';
import { searchTextOf } from '../../../src/commands/hooks/prompt.js';

describe('the payload of a hook', () => {
  it('is read from one JSON object', () => {
    const payload = parsePayload(
      '{"session_id":"s1","transcript_path":"/t.jsonl","cwd":"/work","hook_event_name":"SessionStart","source":"startup"}\n',
    );
    expect(payload).toMatchObject({ session: 's1', transcript: '/t.jsonl', cwd: '/work', source: 'startup' });
  });
  it('reads what is missing or of another type as nothing', () => {
    expect(parsePayload('{"session_id":7,"cwd":null,"prompt":["x"]}')).toMatchObject({
      session: '',
      cwd: '',
      prompt: '',
    });
  });
  it('is undefined for anything but an object, and never throws', () => {
    for (const text of ['', 'null', '[]', '"x"', '{', '\0', '{"a":1}{"b":2}'])
      expect(parsePayload(text)).toBeUndefined();
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parsePayload(text)));
  });
  it('is not misled by __proto__', () => {
    expect(parsePayload('{"__proto__":{"session_id":"x"}}')?.session).toBe('');
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
  ])('that nobody typed, or that asks nothing, is not searched for: %s', (prompt) => {
    expect(searchTextOf(prompt, '')).toBe('');
  });
  it('of a schedule is not searched for', () => {
    expect(searchTextOf('run the nightly job', 'schedule_wakeup')).toBe('');
    expect(searchTextOf('run the nightly job', 'user')).toBe('run the nightly job');
  });
  it('loses what the editor put before it', () => {
    expect(searchTextOf('<ide_opened_file>The user opened a.ts</ide_opened_file>\nwhy does it hang', '')).toBe(
      'why does it hang',
    );
  });
  it('keeps the words of a slash command with arguments', () => {
    expect(searchTextOf('/review the refund webhook', '')).toBe('/review the refund webhook');
  });
});

describe('a tool', () => {
  const chosen = { server: 'anamnesis', approveWrite: true };
  const asked = { server: 'anamnesis', approveWrite: false };
  it.each(['memory_search', 'memory_list', 'memory_status', 'memory_get', 'memory_history'])(
    'that only reads is approved: %s',
    (tool) => {
      expect(isApproved(`mcp__anamnesis__${tool}`, asked)).toBe(true);
      expect(isApproved(`mcp__plugin_anamnesis_anamnesis__${tool}`, asked)).toBe(true);
    },
  );
  it('that writes is approved only where its owner chose so', () => {
    expect(isApproved('mcp__anamnesis__memory_write', asked)).toBe(false);
    expect(isApproved('mcp__anamnesis__memory_write', chosen)).toBe(true);
  });
  it.each(['memory_forget', 'memory_edit', 'memory_sync', 'secret_get', 'memory_search_and_forget', ''])(
    'that can take something away is never approved: %s',
    (tool) => {
      expect(isApproved(`mcp__anamnesis__${tool}`, chosen)).toBe(false);
    },
  );
  it('of another server is never approved, whatever it is called', () => {
    for (const name of ['mcp__other__memory_search', 'memory_search', 'mcp__anamnesis2__memory_search', 'Bash'])
      expect(isApproved(name, chosen)).toBe(false);
  });
  it('is known under the name that the server was registered with', () => {
    expect(isApproved('mcp__notes__memory_search', { server: 'notes', approveWrite: false })).toBe(true);
    expect(isApproved('mcp__anamnesis__memory_search', { server: 'notes', approveWrite: false })).toBe(false);
  });
});
