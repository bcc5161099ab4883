import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteTypes } from '../../../src/events/note/note.js';
import { findTwins, isNotePath, pathOfNote, standApart, whyNoNote } from '../../../src/events/note/paths.js';
import { anyText, anyUlid } from '../../support/arbitraries.js';

const id = '01J0000000000000000000000A';

describe('a note path', () => {
  it('is what pathOfNote returns', () => {
    fc.assert(
      fc.property(fc.constantFrom(...noteTypes), anyUlid, (type, ulid) => {
        expect(isNotePath(pathOfNote(type, ulid))).toBe(true);
        expect(pathOfNote(type, ulid)).toBe(`${type}/${ulid.slice(-2)}/${ulid}.md`);
      }),
    );
  });

  it.each([
    ['where the Python version puts it', `semantic/${id}.md`],
    ['at any depth', `episodic/a/b/c/d/${id}.md`],
    ['in a folder with spaces', `procedural/my notes/${id}.md`],
    ['in a folder in another script', `procedural/日本語/${id}.md`],
    ['in a folder with dots in its name', `procedural/..a/b..c/${id}.md`],
    ['in a folder whose name begins like a device', `procedural/console/auxiliary/${id}.md`],
    ['in 64 folders', `procedural/${'a/'.repeat(63)}${id}.md`],
    ['in a folder whose name has 255 bytes', `procedural/${'é'.repeat(127)}a/${id}.md`],
  ])('is valid %s', (_, path) => {
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
    ['of an editor’s swap file', `semantic/.${id}.md.swp`],
    ['with a tail', `semantic/${id}.md~`],
    ['with a line break at its end', `semantic/${id}.md\n`],
    ['without its ending', `semantic/${id}`],
    ['with a title in its name', `semantic/0A/use-wal.md`],
    ['with a longer name', `semantic/0A/x${id}.md`],
    ['with bytes that are not UTF-8', `semantic/caf\ufffd/${id}.md`],
    ['with bytes that are not UTF-8, as they are read', `semantic/caf\udce9/${id}.md`],
    ['with a NUL', `semantic/a\0b/${id}.md`],
    ['in a .git folder', `semantic/.git/${id}.md`],
    ['in a .git folder on a disk that ignores case', `semantic/a/.GIT/${id}.md`],
    ['that climbs out on Windows', `semantic/..\\..\\..\\${id.slice(0, 2)}/${id}.md`],
    ['with a backslash', `semantic/a\\b/${id}.md`],
    ['with a control character', `semantic/\u001b[2J/${id}.md`],
    ['that is empty', ''],
    ['in a folder that Windows treats as a device', `semantic/con/${id}.md`],
    ['in a folder that Windows treats as a device, with an extension', `semantic/a/Aux.old/${id}.md`],
    ['in a folder whose name ends in a dot', `semantic/a./${id}.md`],
    ['in a folder whose name ends in a space', `semantic/a /${id}.md`],
    ['in a folder with a colon in its name', `semantic/a:b/${id}.md`],
    ['in a folder that is a stream of .git on Windows', `semantic/.git::$INDEX_ALLOCATION/${id}.md`],
    ['in a .git folder by its short name', `semantic/GIT~2/${id}.md`],
    ['in a .git folder with a trailing dot', `semantic/.git./${id}.md`],
    ['in a folder that macOS treats as .git', `semantic/.g\u200cit/${id}.md`],
    ['in a folder with a line separator', `semantic/a\u2028b/${id}.md`],
    ['in a folder that has the name of a note', `semantic/${id.toLowerCase()}.md/${id}.md`],
    ['in more than 64 folders', `semantic/${'a/'.repeat(65)}${id}.md`],
    ['with a name of more than 255 bytes', `semantic/${'é'.repeat(128)}/${id}.md`],
    ['of more than 1000 bytes', `semantic/${`${'a'.repeat(200)}/`.repeat(5)}${id}.md`],
  ])('is invalid %s', (_, path) => {
    expect(isNotePath(path)).toBe(false);
  });

  it('never leaves its folder, whatever it contains', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('..', '.', '', 'a')), { maxLength: 4 }), (folders) => {
        const path = ['semantic', ...folders, `${id}.md`].join('/');
        if (!isNotePath(path)) return;
        expect(new URL(path.split('/').map(encodeURIComponent).join('/'), 'file:///store/').pathname).toMatch(
          /^\/store\/semantic\//,
        );
      }),
    );
  });
});

describe('the reason why a file is not a note', () => {
  it.each([
    ['its name', 'semantic/readme.md', /<ULID>\.md/],
    ['its folder', `semantic/nul/${id}.md`, /Windows/],
    ['git', `semantic/.git/${id}.md`, /git/],
    ['control characters', `semantic/\u0007/${id}.md`, /control characters/],
    ['its length', `semantic/${'a'.repeat(1000)}/${id}.md`, /longer than 1000 bytes/],
  ])('is %s', (_, path, reason) => {
    expect(whyNoNote(path)).toMatch(reason);
  });

  it.each(['README.md', 'eval/a.jsonl', 'semantic/picture.png', 'semantics/a.md', pathOfNote('semantic', id)])(
    'is undefined for %s',
    (path) => {
      expect(whyNoNote(path)).toBeUndefined();
    },
  );

  it('is given for every markdown file below the note folders without a note path, and for no other', () => {
    const part = fc.oneof(anyText, fc.constantFrom('..', 'con', 'a:', '.git', '', '0A'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.constantFrom(id, 'x'), (folders, name) => {
        const path = ['semantic', ...folders, `${name}.md`].join('/');
        expect(whyNoNote(path) === undefined).toBe(isNotePath(path));
      }),
    );
  });
});

describe('paths that differ only by case', () => {
  const usual = `semantic/0A/${id}.md`;

  it.each([
    ['the usual path comes before another', [usual, `semantic/0a/${id}.md`], [`semantic/0a/${id}.md`]],
    ['the first by path stays', [`semantic/Ab/${id}.md`, `semantic/aB/${id}.md`], [`semantic/aB/${id}.md`]],
    [
      'accents may be written in two ways',
      [`semantic/e\u0301/${id}.md`, `semantic/\u00e9/${id}.md`],
      [`semantic/\u00e9/${id}.md`],
    ],
    ['letters may expand', [`semantic/STRASSE/${id}.md`, `semantic/straße/${id}.md`], [`semantic/straße/${id}.md`]],
    ['others stay apart', [usual, `episodic/0A/${id}.md`, `semantic/0B/${id}.md`], []],
  ])('hide one another: %s', (_, paths, hidden) => {
    expect([...findTwins(paths.toSorted()).keys()]).toEqual(hidden);
  });

  it('never hide the note that hides another one', () => {
    const folder = fc.constantFrom('a', 'A', 'é', 'e\u0301', 'É', 'ß', 'SS', '0A', '0a');
    const path = fc.array(folder, { maxLength: 3 }).map((folders) => ['semantic', ...folders, `${id}.md`].join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20 }), (paths) => {
        const twins = findTwins(paths.toSorted());
        for (const [hidden, first] of twins) {
          expect(twins.has(first)).toBe(false);
          expect(first < hidden).toBe(true);
        }
        const kept = paths.filter((one) => !twins.has(one));
        expect(findTwins(kept.toSorted()).size).toBe(0);
      }),
    );
  });

  it('are searched for only where a changed path may be one of them', () => {
    const apart = (...paths: readonly string[]): boolean => standApart(paths.map((path) => ({ path })));
    expect(apart(usual, `semantic/${id}.md`)).toBe(true);
    expect(apart(usual, `semantic/0a/${id}.md`)).toBe(false);
    expect(apart(`semantic/deep/folder/${id}.md`)).toBe(false);
  });
});
