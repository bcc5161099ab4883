import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openHome, type TestHome } from '../support.js';

let home: TestHome;
let live: Json;
let replaced: Json;
let expired: Json;
let gone: Json;
const write = (title: string, ...more: readonly string[]): Promise<Json> =>
  home.json(['write', title, '--body', `what is to be known of it: ${title}`, ...more]);
beforeAll(async () => {
  home = openHome();
  replaced = await write('Deploys need the VPN');
  live = await write('Deploys run from CI', '--supersedes', 'deploys need the vpn');
  expired = await write('The freeze of December', '--expires', '2020-12-31');
  gone = await write('TAGS of the pipeline');
  await home.json(['forget', gone.id]);
});
afterAll(() => home.remove());

describe('a note by its title', () => {
  it('is shown even when it is superseded or expired', async () => {
    expect(await home.json(['show', 'deploys need the vpn'])).toMatchObject({
      id: replaced.id,
      superseded_by: live.id,
    });
    expect((await home.json(['show', 'The freeze of December'])).id).toBe(expired.id);
    expect((await home.json(['history', 'The freeze of December'])).events).toHaveLength(1);
    expect((await home.run(['similar', 'The freeze of December'])).code).toBe(0);
  });
  it('is the live one when there is one', async () => {
    const again = await home.json(['write', 'Deploys need the VPN', '--body', 'since June again']);
    expect((await home.json(['show', 'Deploys need the VPN'])).id).toBe(again.id);
    await home.json(['forget', again.id]);
  });
  it('is reported as forgotten, not as unknown', async () => {
    expect((await home.run(['show', 'TAGS of the pipeline'])).stderr).toContain('was forgotten; bring it back first');
  });
});

it('forget says that a note is already forgotten and how to bring it back', async () => {
  expect(await home.run(['forget', gone.id])).toEqual({
    code: 0,
    stdout: `unchanged ${gone.short_id}\n`,
    stderr: `already forgotten; anamnesis restore ${gone.short_id} brings it back\n`,
  });
});

describe('changes of a note by its title', () => {
  it('are made by every command', async () => {
    expect((await home.json(['tag', 'Deploys run from CI', 'deploy'])).tags).toEqual(['deploy']);
    expect((await home.json(['untag', 'deploys run from ci', 'deploy'])).tags).toEqual([]);
    expect((await home.json(['edit', 'Deploys run from CI', '--importance', '0.5'])).importance).toBe(0.5);
    expect((await home.json(['move', 'Deploys run from CI', '--project', 'global'])).project).toBe('global');
    expect(await home.json(['forget', 'Deploys run from CI'])).toMatchObject({ id: live.id, status: 'recorded' });
    expect((await home.json(['restore', 'Deploys run from CI'])).id).toBe(live.id);
    expect((await home.json(['supersede', 'The freeze of December', '--by', 'Deploys run from CI'])).event.kind).toBe(
      'note.superseded',
    );
  });
  it('are refused when only a part of the title was given', async () => {
    expect(await home.run(['forget', 'run from'])).toMatchObject({
      code: 1,
      stderr: `anamnesis: "run from" is only a part of a title: ${live.short_id} (Deploys run from CI); give this id, or the whole title\n`,
    });
  });
  it('are refused with a list when several notes have it', async () => {
    for (const project of ['bank', 'shop']) await write('Same title', '--project', project, '--tag', project);
    const { code, stderr } = await home.run(['tag', 'same title', 'x']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^anamnesis: several notes have the title "same title": \w{6} \(Same title\), \w{6} \(Same title\); give one of these ids\n$/,
    );
  });
  it('are refused in the same words whatever is typed', async () => {
    for (const words of ['TAGS', 'no such title at all', 'x'])
      expect((await home.run(['edit', words, '--importance', '1'])).stderr).toMatch(
        /^anamnesis: (?:no note has the id or the title|"TAGS" is only a part of a title)/,
      );
  });
});
