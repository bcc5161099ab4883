import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryParts, wordParts } from '../../src/projections/word-parts.js';
import { anyText } from '../support/arbitraries.js';
import { processorMs } from '../support/processor-time.js';

describe('wordParts', () => {
  it.each<[text: string, parts: readonly string[]]>([
    ['a plain sentence, with marks. And (brackets)!', []],
    ['set busy_timeout first', ['busytimeout']],
    ['set busyTimeout first', ['busy', 'timeout']],
    ['HTTPServer and MyHTTPServer2', ['http', 'server', 'my', 'http', 'server']],
    ['sha256 v1 utf8', ['sha', '256', 'utf']],
    ['src/app/named-project.ts', ['namedprojectts']],
    ['node-fetch@2, well-known', ['nodefetch', 'wellknown']],
    ['2026-06-24 1.2.3 10.0.0.1', []],
    ['deadbeef12ab34cd56ef78ab90cd12ef34ab56cd78ef', []],
    ['-flag --long-flag _private end-', ['longflag']],
    ['Straßenbahn', ['strassenbahn']],
    ['Größe', ['grösse', 'groesse']],
    ['Ærø', ['aero']],
    ['数据库迁移', ['数据', '据库', '库迁', '迁移']],
    ['缓存 and 图', ['缓存', '图']],
    ['データベースの移行', ['デー', 'ータ', 'タベ', 'ベー', 'ース', 'スの', 'の移', '移行']],
    ['การย้าย', ['กา', 'าร', 'รย', 'ยา', 'าย']],
    ['ភាសា។ខ្មែរ', ['ភស', 'ខម', 'មរ']],
    ['ＡＰＩ＿ｋｅｙ', ['apikey', 'api', 'key']],
  ])('are read from %j', (text, parts) => {
    expect(wordParts(text)).toEqual(parts);
  });

  it('of a query leave an identifier as typed', () => {
    expect(queryParts('busy_timeout well-known fooBar', 9)).toEqual(['foo', 'bar']);
  });

  it('are single words in lower case, and no more than were asked for', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), fc.integer({ min: 1, max: 20 }), (texts, most) => {
        const parts = queryParts(texts.join('_'), most);
        expect(parts.length).toBeLessThanOrEqual(most);
        for (const part of [...parts, ...wordParts(texts.join('_'))]) expect(part).toMatch(/^[^\s\p{Lu}\p{P}]+$/u);
      }),
    );
  });

  it.each([
    ['letters', 'a'.repeat(200_000)],
    ['joined words', 'a_b'.repeat(70_000)],
    ['humps', 'aB'.repeat(100_000)],
    ['joining characters', '._-'.repeat(70_000)],
    ['characters without spaces', '数'.repeat(200_000)],
    ['two spellings', 'ß'.repeat(200_000)],
    ['letters beyond ASCII', 'é'.repeat(200_000)],
  ])('take time proportional to the text: %s', (_, text) => {
    const start = processorMs();
    expect(wordParts(text).length).toBeLessThanOrEqual(20_000);
    expect(processorMs() - start).toBeLessThan(1500);
  });
});
