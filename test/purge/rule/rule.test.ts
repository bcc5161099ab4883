import { describe, expect, it } from 'vitest';
import { formatNoteFile, newNoteFile, parseNoteFile } from '../../../src/events/note/note-file.js';
import { literalMatcher, patternMatcher } from '../../../src/purge/rule/matcher.js';
import { judgeFile, type PurgeRule } from '../../../src/purge/rule/rule.js';
import { makeNote } from '../../support/arbitraries.js';

const text = (literal: string): PurgeRule => ({ notes: new Set(), text: literalMatcher(literal) });
const fileOf = (...args: Parameters<typeof makeNote>): Buffer => formatNoteFile(newNoteFile(makeNote(...args)));
const outcome = (bytes: Buffer, rule: PurgeRule): string => {
  const verdict = judgeFile(bytes, rule);
  return verdict.kind === 'replace' ? verdict.bytes.toString('utf8') : verdict.kind;
};
const noteAfter = (bytes: Buffer, rule: PurgeRule) => {
  const parsed = parseNoteFile(Buffer.from(outcome(bytes, rule)), 'portable', 'x.md');
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.file.note;
};

describe('a note that loses a text', () => {
  it('stays a note when the text is all of its title, its project or a tag', () => {
    const bytes = fileOf({
      title: 'sesame-open',
      project: 'sesame-open',
      tags: ['sesame-open', 'b'],
      agent: 'sesame-open',
    });
    expect(noteAfter(bytes, text('sesame-open'))).toMatchObject({
      title: '[PURGED]',
      project: '[PURGED]',
      tags: ['[PURGED]', 'b'],
      agent: '[PURGED]',
    });
  });
  it('keeps every other line as it was', () => {
    const bytes = fileOf({ body: 'one\nsesame-open\nthree\n' });
    expect(outcome(bytes, text('sesame-open'))).toBe(bytes.toString('utf8').replace('sesame-open', '[PURGED]'));
  });
  it('loses it in unknown keys too', () => {
    const bytes = Buffer.from(
      fileOf().toString('utf8').replace('tags:', 'customer: sesame-open\n# sesame-open\ntags:'),
    );
    expect(outcome(bytes, text('sesame-open'))).not.toContain('sesame');
    expect(noteAfter(bytes, text('sesame-open')).id).toBe(makeNote().id);
  });
  it('loses it in a line that YAML folded', () => {
    const bytes = Buffer.from(
      fileOf()
        .toString('utf8')
        .replace(/title: .*/, 'title: a long title with open\n  sesame and more'),
    );
    expect(
      noteAfter(bytes, { notes: new Set(), text: patternMatcher('open sesame', { ignoreCase: false }) }).title,
    ).toBe('a long title with [PURGED] and more');
  });
  it.each(['01J0000000000000000000000A', 'semantic', '2026-06-24'])('cannot lose it when it is %s', (literal) => {
    expect(judgeFile(fileOf(), text(literal)).kind).toBe('structural');
  });
});

describe('a file that is not a note', () => {
  it('loses the text as it stands, even in bytes that are not UTF-8', () => {
    expect(outcome(Buffer.from('x sesame-open y'), text('sesame-open'))).toBe('x [PURGED] y');
    const verdict = judgeFile(Buffer.concat([Buffer.from([0xff]), Buffer.from('sesame-open')]), text('sesame-open'));
    expect(verdict.kind === 'replace' && verdict.bytes.toString('latin1')).toBe('\xff[PURGED]');
  });
});

describe('a note that is purged', () => {
  const rule: PurgeRule = { notes: new Set([makeNote().id]), text: undefined };
  it('is dropped in every version, however its id is written', () => {
    expect(judgeFile(fileOf({ title: 'Other' }), rule)).toMatchObject({ kind: 'drop', title: 'Other' });
    const quoted = fileOf()
      .toString('utf8')
      .replace(/^id: (.*)$/m, "id: '$1'");
    expect(judgeFile(Buffer.from(quoted), rule).kind).toBe('drop');
  });
  it('does not drop a note that only names it', () => {
    const bytes = fileOf({
      id: '01J0000000000000000000000B',
      supersedes: [makeNote().id],
      body: `see ${makeNote().id}\n`,
    });
    expect(judgeFile(bytes, rule).kind).toBe('keep');
  });
});
