import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

describe('stats', () => {
  let home: TestHome;
  beforeEach(() => {
    home = openHome();
  });
  afterEach(() => home.remove());

  const write = async (title: string, project: string): Promise<string> =>
    (await home.json(['write', title, '--body', 'Because it is so.', '--project', project])).id;

  it('counts the events and notes of the last days, also as JSON', async () => {
    const id = await write('The registry needs the VPN', 'shop');
    await write('Retry once', 'api');
    await home.run(['tag', id, 'network']);
    const today = new Date().toISOString().slice(0, 10);
    const { code, stdout, stderr } = await home.run(['stats']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^since \d{4}-\d\d-\d\d \(UTC\): 3 events; NOTES counts.*\n$/),
    ]);
    expect(stdout).toMatch(/^DAY\s+EVENTS\s+NOTES\n/);
    expect(await home.json(['stats', '--days', '2'])).toEqual({
      by: 'day',
      from: new Date(Date.parse(`${today}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10),
      project: null,
      rows: [{ key: today, events: 3, notes: 3 }],
      events: 3,
      notes: 3,
      last_day: today,
    });
    expect((await home.json(['stats', '--by', 'project'])).rows).toEqual([
      { key: 'shop', events: 2, notes: 2 },
      { key: 'api', events: 1, notes: 1 },
    ]);
    expect((await home.json(['stats', '--by', 'kind', '--project', 'shop'])).rows).toEqual([
      { key: 'note.tagged', events: 1, notes: 1 },
      { key: 'note.written', events: 1, notes: 1 },
    ]);
    expect((await home.json(['stats', '--by', 'machine'])).rows).toEqual([{ key: 'testbox', events: 3, notes: 3 }]);
  });

  it('fits a terminal of 80 columns', async () => {
    await write('Long names are cut', `github.com/${'a-rather-long-owner/'.repeat(6)}shop`);
    const lines = (await home.onTerminal(['stats', '--by', 'project'], { NO_COLOR: '1' })).stdout.trimEnd().split('\n');
    expect(lines[1]).toMatch(/^….*a-rather-long-owner\/shop\s+1\s+1$/);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('says when there is nothing to count and creates no store', async () => {
    expect(await home.run(['stats'])).toEqual({ code: 0, stdout: '', stderr: 'no events\n' });
    expect(await home.json(['stats', '--by', 'kind'])).toMatchObject({ rows: [], events: 0, notes: 0, last_day: null });
    expect(existsSync(join(home.store, 'index'))).toBe(false);
    await write('Retry once', 'api');
    expect((await home.run(['stats', '--project', 'shop'])).stderr).toBe(
      'warning: there is no project "shop"\nno events of project shop\n',
    );
  });

  it('refuses an unknown key and zero days, but no large number of days', async () => {
    expect((await home.run(['stats', '--by', 'week'])).code).toBe(2);
    expect((await home.run(['stats', '--days', '0'])).code).toBe(2);
    expect((await home.json(['stats', '--days', '999999999'])).rows).toEqual([]);
  });
});
