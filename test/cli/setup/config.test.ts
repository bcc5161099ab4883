import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

const plainLines = (text: string): readonly string[] =>
  text
    .replace(/\x1b\[\d+m/g, '')
    .trimEnd()
    .split('\n');

describe('anamnesis config', () => {
  it('get prints the value alone into a pipe', async () => {
    expect((await home.run(['config', 'get', 'recall_notes'])).stdout).toBe('5\n');
  });
  it('prints every explanation in full at a terminal, below its setting', async () => {
    const all = plainLines((await home.onTerminal(['config'])).stdout);
    expect(all.slice(0, 2)).toEqual([
      'machine_id  testbox  (ANAMNESIS_MACHINE_ID)',
      '  name of this machine in notes and events',
    ]);
    expect(all.filter((line) => line.length > 80 || line.includes('…'))).toEqual([]);
  });
  it('get prints value, source and explanation at a terminal', async () => {
    expect(plainLines((await home.onTerminal(['config', 'get', 'recall_notes'])).stdout)).toEqual([
      'recall_notes  5  (default)',
      '  maximum number of notes added to one prompt',
    ]);
    expect(plainLines((await home.onTerminal(['config', 'get', 'search_model'])).stdout)[0]).toBe(
      'search_model  not set  (default)',
    );
  });
});
