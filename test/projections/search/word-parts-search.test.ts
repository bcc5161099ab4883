import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchNotes } from '../../../src/projections/search/search.js';
import { indexNotes, type NotesIndex } from '../../support/indexed-notes.js';

const titles = [
  '数据库迁移计划',
  'データベースの移行手順',
  'การย้ายฐานข้อมูล',
  'Straßenbahn nach Köln',
  'Set busy_timeout to 5000',
  'What busyTimeout means',
  'The registry of images',
  'Datenbankverbindung prüfen',
  'Wann kommt die Müllabfuhr?',
  'Der Fahrplan hängt aus',
  'The tram stops at night',
  'Мои\u0306 трамваи\u0306 стоит',
  'Η πο\u0301λη κοιμάται',
  'DHL rate limit',
  '\uff35\uff30\uff33 rate limit',
];

let index: NotesIndex;
beforeAll(() => {
  index = indexNotes(titles.map((title) => ({ title })));
});
afterAll(() => index.close());

const found = (text: string, isFuzzy = true): readonly string[] =>
  searchNotes(index.database, { text, filter: {}, k: 8, nowSeconds: 0, isFuzzy }).hits.map(({ note }) => note.title);

describe('a search', () => {
  it.each<[query: string, first: string]>([
    ['迁移', '数据库迁移计划'],
    ['数据库怎么迁移', '数据库迁移计划'],
    ['移行の手順は？', 'データベースの移行手順'],
    ['ฐานข้อมูล', 'การย้ายฐานข้อมูล'],
    ['strassenbahn', 'Straßenbahn nach Köln'],
    ['STRASSENBAHN koeln', 'Straßenbahn nach Köln'],
    ['straßenbahn', 'Straßenbahn nach Köln'],
    ['трамвай', 'Мои\u0306 трамваи\u0306 стоит'],
    ['трамваи\u0306', 'Мои\u0306 трамваи\u0306 стоит'],
    ['πόλη', 'Η πο\u0301λη κοιμάται'],
    ['busy_timeout', 'Set busy_timeout to 5000'],
    ['docker-registry', 'The registry of images'],
    ['verbindungsdaten der datenbank', 'Datenbankverbindung prüfen'],
    ['\uff24\uff28\uff2c', 'DHL rate limit'],
    ['\uff55\uff50\uff53', '\uff35\uff30\uff33 rate limit'],
    ['UPS', '\uff35\uff30\uff33 rate limit'],
  ])('for %s finds %s', (query, first) => {
    expect(found(query)[0]).toBe(first);
  });

  it('finds both spellings of an identifier by either one, as one word and by its parts', () => {
    const both = [titles[4], titles[5]].toSorted();
    for (const query of ['busytimeout', 'busy timeout', 'busy_timeout', 'busyTimeout', 'busy-timeout', 'BusyTimeout'])
      expect([query, found(query).toSorted()]).toEqual([query, both]);
  });

  it.each([
    ['strassenbahnfahrplan', ['Straßenbahn nach Köln', 'Der Fahrplan hängt aus']],
    ['Muellabfuhrsfahrplan', ['Wann kommt die Müllabfuhr?', 'Der Fahrplan hängt aus']],
  ])('for %s, which no note has, finds its two words, however they are spelt', (query, both) => {
    expect(found(query).toSorted()).toEqual(both.toSorted());
  });

  it('finds nothing by characters that no note has', () => {
    expect(found('缓存')).toEqual([]);
  });
});
