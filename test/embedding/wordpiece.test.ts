import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { uncasedBert } from '../../src/embedding/model-parts.js';
import { openVocabulary, tokenize, type Vocabulary } from '../../src/embedding/static-model.js';
import { readGge1 } from '../../src/embedding/static-source.js';
import { madeUpParts } from './made-up-model.js';

describe('tokenize', () => {
  const { tokens } = madeUpParts();
  const vocabulary = openVocabulary(uncasedBert, tokens);
  const cut = (text: string, most = 1000): string[] =>
    tokenize(vocabulary, text, most).map((row) => tokens[row] ?? '??');

  it('takes the longest token first, and the rest of the word with the prefix', () => {
    expect(cut('running cars unbelievable')).toEqual(['run', '##ning', 'car', '##s', 'un', '##believ', '##able']);
  });

  it('leaves out a whole word if a part of it is unknown', () => {
    expect(cut('runningx car')).toEqual(['car']);
  });

  it('separates each punctuation character', () => {
    expect(cut('car,bread-run!.')).toEqual(['car', ',', 'bread', '-', 'run', '!', '.']);
  });

  it('lower-cases and strips accents, in composed and decomposed letters', () => {
    expect(cut('CAR Lóaf lo\u0301af')).toEqual(['car', 'loaf', 'loaf']);
  });

  it('separates Chinese characters and drops invisible ones', () => {
    expect(cut('car迁移run')).toEqual(['car', 'run']);
    expect(cut('c\u200bar\u0000 r\u00adun \ufeffjog')).toEqual(['car', 'run', 'jog']);
  });

  it('leaves out a word of more than 100 characters, and continues after it', () => {
    expect(cut(`${'s'.repeat(101)} car`)).toEqual(['car']);
    expect(cut(`run${'s'.repeat(97)}`)).toHaveLength(98);
  });

  it('never gives the row of a token that stands for no text', () => {
    expect(cut('[UNK] PAD')).toEqual([]);
  });

  it('stops at the requested number of tokens', () => {
    expect(cut('running running running', 3)).toEqual(['run', '##ning', 'run']);
  });

  it('returns rows of the vocabulary for any text', () => {
    fc.assert(
      fc.property(fc.uint16Array({ maxLength: 200 }), (units) => {
        const text = String.fromCharCode(...units);
        expect(tokenize(vocabulary, text, 1000).filter((row) => tokens[row] === undefined)).toEqual([]);
      }),
    );
  });
});

const folder = join(process.cwd(), '../shared/models/potion-base-2M-int8');

describe.skipIf(!existsSync(folder))(
  'tokenize with the vocabulary of potion-base-2M (skipped: needs ../shared/models)',
  () => {
    let vocabulary: Vocabulary;
    let all: readonly string[] = [];
    beforeAll(() => {
      const parts = readGge1(readFileSync(join(folder, 'potion-base-2M.bin')));
      if (!parts.ok) throw new Error(parts.problem.message);
      all = parts.value.tokens;
      vocabulary = openVocabulary(parts.value.tokenisation, all);
    });

    // As Hugging Face's tokenizers 0.23.2 cut them with tokenizer.json, without the unknown words.
    it.each([
      ["SQLite's WAL-mode: busyTimeout=5000", "sql ##ite ' s wal - mode : busy ##time ##out = 5000"],
      [
        '\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2 \u03a3\u0391\u03a3 \u0130stanbul stra\u00dfe',
        '\u03c3 ##\u03b9 ##\u03c3 ##\u03c5 ##\u03c6 ##\u03bf\u03c2 \u03c3 ##\u03b1 ##\u03c3 istanbul st ##ra\u00dfe',
      ],
      ['\u8fc1\u79fb\u6570\u636e\u5e93 na\u00efve caf\u00e9', 'naive cafe'],
      ['don\u2019t \u201cquote\u201d \u2013 it\u2026', 'don \u2019 t \u201c quote \u201d \u2013 it \u2026'],
      ['\ufb01le \u212b a\u200bb c\u00add', '\ufb01 ##le a ab cd'],
      [
        'snake_case camelCaseWord /usr/local/bin v1.2.3',
        'snake _ case camel ##case ##word / us ##r / local / bin v ##1 . 2 . 3',
      ],
      [
        'emoji \ud83d\ude00 \u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f \ud55c\uad6d\uc5b4',
        'em ##oj ##i \u0915 ##\u0937 ##\u0924 ##\u0930 ##\u093f ##\u092f \u1112 ##\u1161 ##\u11ab ##\u1100 ##\u116e ##\u11a8 ##\u110b ##\u1165',
      ],
    ])('cuts %j as the original does', (text, expected) => {
      const shown = tokenize(vocabulary, text, 1000).map((row) => all[row]);
      expect(shown.join(' ')).toBe(expected);
    });

    it('finds each token of the vocabulary that is a word', () => {
      all.forEach((token, row) => {
        if (/^[a-z]+$/.test(token)) expect(tokenize(vocabulary, token, 10)).toEqual([row]);
      });
    });
  },
);
