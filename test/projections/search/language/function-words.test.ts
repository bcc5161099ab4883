import { describe, expect, it } from 'vitest';
import { readLanguage } from '../../../../src/projections/search/language/word-list.js';
import { contentWords, dropStopWords, splitWords } from '../../../../src/projections/search/words.js';

const dropFrom = (text: string): string => dropStopWords(splitWords(text)).join(' ');

describe('dropStopWords', () => {
  it.each([
    ['die Farbe ist falsch', 'farbe falsch'],
    ['schreib einen Test für die Klasse Foo', 'schreib test klasse foo'],
    ['mach die Tests grün', 'mach tests grün'],
    ['räum die Imports auf', 'räum imports'],
    ['was hat der Worker mit den Sperren zu tun', 'worker sperren tun'],
    ['Die MIT-Lizenz der Bibliothek', 'lizenz bibliothek'],
    ['corrige la faute dans le titre', 'corrige faute titre'],
    ['La clé de la base est dans le coffre', 'clé base coffre'],
    ["j'ai plus de place pour son fichier", 'place fichier'],
    ['el botón no funciona en el móvil', 'botón funciona móvil'],
    ['¿Los pedidos son para hoy?', 'pedidos hoy'],
    ['la chiave della base non è nel caveau', 'chiave base caveau'],
    ['o servidor não responde com os dados', 'servidor responde dados'],
    ['de sleutel van de database staat niet in de kluis', 'sleutel database staat kluis'],
  ])('keeps only what %j is about', (text, left) => {
    expect(dropFrom(text)).toBe(left);
  });

  it.each([
    ['why does the worker die', 'worker die'],
    ['worker die', 'worker die'],
    ['convert UTC to EST or IST', 'convert utc est ist'],
    ['sans serif fonts', 'sans serif fonts'],
    ['MIT license', 'mit license'],
    ['pour the son a drink in the war den', 'pour son drink war den'],
    ['the ses queue in los angeles', 'ses queue los angeles'],
    ['add locales de, fr and es', 'add locales de fr es'],
    ['man page of the du command', 'man page du command'],
    ['the todo comments of the ai model', 'todo comments ai model'],
    ['the door op and com port', 'door op com port'],
  ])('keeps the words of %j that only look like those of another language', (text, left) => {
    expect(dropFrom(text)).toBe(left);
  });

  it.each([
    ['may I add lodash', 'add lodash'],
    ['what may a worker hold', 'worker hold'],
    ['it may fail and must be retried', 'fail retried'],
    ['what did we decide in May', 'decide may'],
    ['the outage on 12 May', 'outage 12 may'],
    ['May 2026 invoices', 'may 2026 invoices'],
    ['May release notes', 'may release notes'],
    ['release notes of May', 'release notes may'],
  ])('reads May as a month where it is used as one: %j', (text, left) => {
    expect(dropFrom(text)).toBe(left);
  });

  it('reads a text as English even if it mentions a word of another language', () => {
    expect(dropFrom('why does the worker die when the word für is in the queue')).toBe('worker die word queue');
  });
});

describe('contentWords', () => {
  it('returns all words if only stop words are left', () => {
    expect(contentWords(['für'])).toEqual(['für']);
    expect(contentWords(['wie', 'ist', 'das'])).toEqual(['wie', 'ist', 'das']);
  });
});

describe('readLanguage', () => {
  it.each([
    ['why does the worker die', true],
    ['die Datei ist kaputt', false],
    ['la page est lente', false],
    ['worker die', false],
    ['', false],
  ])('determines whether %j is in English: %s', (text, isEnglish) => {
    expect(readLanguage(splitWords(text)).isEnglish).toBe(isEnglish);
  });
});
