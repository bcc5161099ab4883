import { describe, expect, it } from 'vitest';
import { parseNoteFile } from '../../src/events/note/note-file.js';
import { type NoteRow, projectNote } from '../../src/projections/note-row.js';

const id = '01J2000000000000000000000A';

const rowOf = (lines: readonly string[]): NoteRow => {
  const text = ['---', `id: ${id}`, 'type: semantic', ...lines, '---', 'x', ''].join('\n');
  const projected = projectNote(
    parseNoteFile(Buffer.from(text), 'portable', 'a.md'),
    'portable',
    'a.md',
    '0'.repeat(40),
  );
  if ('skipped' in projected) throw new Error(projected.skipped.message);
  return projected.note;
};

describe('the row of a note with oversized front matter', () => {
  it('has only the beginning of a title, and only the words in it', () => {
    const { title, words } = rowOf([`title: ${'deploy '.repeat(100_000)}end`]);
    expect(title).toBe(`${'deploy '.repeat(143).slice(0, 1000)}…`);
    expect(words).toEqual(rowOf([`title: ${'deploy '.repeat(143)}`]).words);
  });

  it('has the whole of any title that a command can set', () => {
    const title = '\u{1f600}'.repeat(300);
    expect(rowOf([`title: ${title}`]).title).toBe(title);
  });

  it('has the first thousand of its tags and keywords, and only their words', () => {
    const many = Array.from({ length: 40_000 }, (_, at) => `- tag${at}`);
    const { tags, keywords, words } = rowOf(['title: x', 'tags:', ...many, 'keywords:', ...many]);
    const first = Array.from({ length: 1000 }, (_, at) => `tag${at}`);
    expect([tags, keywords]).toEqual([first, first]);
    const few = many.slice(0, 1000);
    expect(words).toEqual(rowOf(['title: x', 'tags:', ...few, 'keywords:', ...few]).words);
  });

  it('has no tags beyond 32 Ki characters', () => {
    const tags = Array.from({ length: 40 }, (_, at) => `${at}${'x'.repeat(1000)}`);
    expect(rowOf(['title: x', 'tags:', ...tags.map((tag) => `- ${tag}`)]).tags).toEqual(tags.slice(0, 32));
  });

  it('has all the tags that a command can set, uncut', () => {
    const tags = Array.from({ length: 64 }, (_, at) => `${at}`.padEnd(100, 'x'));
    expect(rowOf(['title: x', 'tags:', ...tags.map((tag) => `- '${tag}'`)]).tags).toEqual(tags);
  });

  it('truncates the names of its machine, agent, model, session and project', () => {
    const long = 'x'.repeat(5000);
    const keys = ['project', 'machine_id', 'agent', 'prov_model', 'prov_session'];
    const { project, machineId, agent, model, session } = rowOf(['title: x', ...keys.map((key) => `${key}: ${long}`)]);
    const cut = `${'x'.repeat(1000)}…`;
    expect([project, machineId, agent, model, session]).toEqual([cut, cut, cut, cut, cut]);
  });

  it('supersedes, and proposes to supersede, only the first thousand notes that it names', () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `01J2${`${at}`.padStart(22, '0')}`);
    const named = ids.map((one) => `- ${one}`);
    const { supersedes, proposes } = rowOf(['title: x', 'supersedes:', ...named, 'proposes:', ...named]);
    expect([supersedes, proposes]).toEqual([ids.slice(0, 1000), ids.slice(0, 1000)]);
  });

  it('truncates its user and workspace to the maximum length of a setting', () => {
    const long = 'x'.repeat(4096);
    const { userId, workspaceId } = rowOf(['title: x', `user_id: ${long}y`, `workspace_id: ${long}y`]);
    expect([userId, workspaceId]).toEqual([`${long}…`, `${long}…`]);
    const whole = rowOf(['title: x', `user_id: ${long}`, `workspace_id: ${long}`]);
    expect([whole.userId, whole.workspaceId]).toEqual([long, long]);
  });

  it('has no source key if the key is longer than any path', () => {
    const key = `markdown:${'x'.repeat(16_000)}`;
    expect(rowOf(['title: x', `source_key: ${key}`]).sourceKey).toBe(key);
    expect(rowOf(['title: x', `source_key: ${key.repeat(2)}`]).sourceKey).toBeNull();
  });

  it('is never cut inside a surrogate pair', () => {
    expect(rowOf([`title: a${'\u{1f600}'.repeat(600)}`]).title).toBe(`a${'\u{1f600}'.repeat(499)}…`);
  });
});
