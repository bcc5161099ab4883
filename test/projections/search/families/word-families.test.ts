import { stemmer } from 'stemmer';
import { describe, expect, it } from 'vitest';
import { otherForms, wordFamilies } from '../../../../src/projections/search/families/word-families.js';

describe('the families of words', () => {
  it('have words of at least two stems, each in lower case and once', () => {
    const tooFew = wordFamilies().filter((family) => new Set(family.map((word) => stemmer(word))).size < 2);
    expect(tooFew).toEqual([]);
    const malformed = wordFamilies().filter(
      (family) => new Set(family).size < family.length || family.some((word) => !/^[a-z0-9]+$/.test(word)),
    );
    expect(malformed).toEqual([]);
  });

  it('are listed once each', () => {
    const names = wordFamilies().map((family) => family.toSorted().join(' '));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe('the other forms of a word', () => {
  it.each<[word: string, forms: readonly string[]]>([
    ['went', ['go', 'gone']],
    ['going', ['went', 'gone']],
    ['deciding', ['decision']],
    ['decisions', ['decide']],
    ['config', ['configuration', 'conf', 'cfg']],
    ['behaviours', ['behavior']],
    ['application', ['apply', 'app']],
    ['twelve', ['12']],
    ['deploy', ['deployment', 'redeploy', 'redeployment']],
    ['bigger', ['big', 'biggest']],
    ['retention', ['retain']],
    ['leakage', ['leak']],
    ['infra', ['infrastructure']],
    ['credentials', ['cred']],
    ['postgres', ['pg', 'psql', 'postgresql']],
    ['téléphone', ['phone']],
  ])('of %j are %j', (word, forms) => {
    expect(otherForms(word)).toEqual(forms);
  });

  it.each(['goal', 'x', '', 'größe', '\u8fc1\u79fb', '__proto__'])('do not exist for %j', (word) => {
    expect(otherForms(word)).toEqual([]);
  });
});
