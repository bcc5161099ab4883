import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../support.js';

let home: ReturnType<typeof openHome>;
beforeAll(() => {
  home = openHome();
});
afterAll(() => home.remove());

describe('tags', () => {
  it('says that there are none', async () => {
    expect(await home.run(['tags'])).toEqual({ code: 0, stdout: '', stderr: 'no tags\n' });
    expect(await home.json(['tags'])).toEqual({ tags: [], total: 0 });
  });

  it('counts the notes of each tag, most frequent first, in all projects or in one', async () => {
    await home.run(['write', 'Vacuum nightly', '--body', 'x', '--tag', 'postgres', '--tag', 'ops/db']);
    await home.run(['write', 'Pool of ten', '--body', 'y', '--tag', 'Postgres']);
    await home.run(['write', 'Red buttons', '--body', 'z', '--tag', 'css', '--project', 'other']);
    expect((await home.run(['tags'])).stdout).toBe(
      'TAG       NOTES\npostgres      2\ncss           1\nops/db        1\n',
    );
    expect(await home.json(['tags', '--project', 'other'])).toEqual({ tags: [{ tag: 'css', notes: 1 }], total: 1 });
    expect(await home.run(['tags', '--project', 'nope'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('are named by their key in a query', async () => {
    expect((await home.json(['search', 'tag:postgres'])).total).toBe(2);
  });
});
