import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteTypes } from '../../src/events/note.js';
import { isNotePath, pathOfNote } from '../../src/events/paths.js';
import { anyText, anyUlid } from '../support/arbitraries.js';

const id = '01J0000000000000000000000A';

describe('a note path', () => {
  it('is where we put a note', () => {
    fc.assert(
      fc.property(fc.constantFrom(...noteTypes), anyUlid, (type, ulid) => {
        expect(isNotePath(pathOfNote(type, ulid))).toBe(true);
        expect(pathOfNote(type, ulid)).toBe(`${type}/${ulid.slice(-2)}/${ulid}.md`);
      }),
    );
  });

  it.each([
    ['where Python puts it', `semantic/${id}.md`],
    ['at any depth', `episodic/a/b/c/d/${id}.md`],
    ['in a folder with spaces', `procedural/my notes/${id}.md`],
    ['in a folder in another script', `procedural/日本語/${id}.md`],
    ['in a folder with dots in its name', `procedural/..a/b..c/${id}.md`],
  ])('is one %s', (_, path) => {
    expect(isNotePath(path)).toBe(true);
  });

  it.each([
    ['in no folder', `${id}.md`],
    ['in another folder', `notes/${id}.md`],
    ['in a folder whose name begins alike', `semantics/${id}.md`],
    ['in a folder in another case', `Semantic/${id}.md`],
    ['with an absolute path', `/semantic/${id}.md`],
    ['below another folder', `memory/semantic/${id}.md`],
    ['that climbs out', `semantic/../../${id}.md`],
    ['that climbs out from below', `semantic/a/../../../etc/${id}.md`],
    ['with a dot for a folder', `semantic/./${id}.md`],
    ['with an empty folder name', `semantic//${id}.md`],
    ['with a name in lower case', `semantic/${id.toLowerCase()}.md`],
    ['with another ending', `semantic/${id}.txt`],
    ['with an ending in capitals', `semantic/${id}.MD`],
    ['of an editor', `semantic/.${id}.md.swp`],
    ['with a tail', `semantic/${id}.md~`],
    ['with a line break at its end', `semantic/${id}.md\n`],
    ['without its ending', `semantic/${id}`],
    ['with a title in its name', `semantic/0A/use-wal.md`],
    ['with a longer name', `semantic/0A/x${id}.md`],
    ['with bytes that are not UTF-8', `semantic/caf\ufffd/${id}.md`],
    ['with a NUL', `semantic/a\0b/${id}.md`],
    ['in a folder of git', `semantic/.git/${id}.md`],
    ['in a folder of git on a disk that ignores case', `semantic/a/.GIT/${id}.md`],
    ['that climbs out on Windows', `semantic/..\\..\\..\\${id.slice(0, 2)}/${id}.md`],
    ['with a backslash', `semantic/a\\b/${id}.md`],
    ['with a control character', `semantic/\u001b[2J/${id}.md`],
    ['that is empty', ''],
  ])('is none %s', (_, path) => {
    expect(isNotePath(path)).toBe(false);
  });

  it('never leaves its folder, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('..', '.', '', 'a')), { maxLength: 4 }), (folders) => {
        const path = ['semantic', ...folders, `${id}.md`].join('/');
        if (!isNotePath(path)) return;
        expect(new URL(path.split('/').map(encodeURIComponent).join('/'), 'file:///store/').pathname).toMatch(
          /^\/store\/semantic\//,
        );
      }),
      { numRuns: 500 },
    );
  });
});
