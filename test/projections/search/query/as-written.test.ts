import { expect, it } from 'vitest';
import { inOriginalSpelling } from '../../../../src/projections/search/fuzzy/corrections.js';

const texts = [{ note: { title: 'Ohne Lücken' }, body: 'Zählertabelle' }];

it.each([
  ['lucken', 'lücken'],
  ['zahlertabelle lucken', 'zählertabelle lücken'],
  ['ohne', 'ohne'],
  ['handelsrechnung', 'handelsrechnung'],
])('%s is written as %s', (instead, written) => {
  expect(inOriginalSpelling([{ typed: 'x', instead }], texts)).toEqual([{ typed: 'x', instead: written }]);
});
