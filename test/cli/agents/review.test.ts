import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Proposal } from '../../../src/answers/note-schema.js';
import { formatProposals } from '../../../src/cli/agents/review.js';
import { widthOf } from '../../../src/cli/wrap.js';
import { openStore, type TestStore, writeNote } from '../../support/store.js';
import { type Json, openHome, type Ran, type TestHome } from '../support.js';

let home: TestHome;
let store: TestStore;
beforeEach(() => {
  home = openHome();
  store = openStore({ home: home.store });
});
afterEach(async () => {
  await store.close();
  home.remove();
});

const run = (...args: readonly string[]): Promise<Ran> => home.run(['review', ...args]);
const json = (...args: readonly string[]): Promise<Json> => home.json(['review', ...args]);

const named = ({ short_id, title }: { readonly short_id: string; readonly title: string }): string =>
  `note ${short_id} ("${title}")`;

/** Writes two notes of one project, and a learned one that proposes to replace both. */
const writeProposals = async () => {
  const { memory } = store;
  const one = await writeNote(memory, { title: 'Deploys need the VPN', body: 'Connect first.\n', project: 'shop' });
  const two = await writeNote(memory, { title: 'The VPN is in Oslo', project: 'shop' });
  const command = {
    kind: 'write',
    type: 'semantic',
    scope: 'portable',
    tags: [],
    keywords: [],
    supersedes: [],
  } as const;
  const answer = await memory.perform(
    {
      ...command,
      title: 'Deploys run from CI',
      body: 'Nobody needs the VPN.\n',
      project: 'shop',
      source: 'session-end',
      confidence: 0.6,
      model: 'haiku',
      proposes: [one.id, two.id],
    },
    { agent: 'claude-code', session: 's-1' },
  );
  if (answer.status === 'refused' || answer.note === undefined) throw new Error('not written');
  return { one, two, newer: answer.note };
};

describe('anamnesis review', () => {
  it('lists both notes with date, proposer and confidence', async () => {
    const { one, newer } = await writeProposals();
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, about, ...sides] = stdout.split('\n');
    expect([head, stdout.split('\n').find((line) => line.endsWith(one.short_id))]).toContain(
      `${newer.short_id} proposes to supersede ${one.short_id}`,
    );
    expect(about).toMatch(/^shop {2}\d{4}-\d\d-\d\d {2}by claude-code on testbox \(haiku\)$/);
    expect(sides.slice(0, 5)).toEqual([
      expect.stringMatching(/^NEW {2}confidence 0\.6 {2}\d{4}-\d\d-\d\d$/),
      'Deploys run from CI',
      'Nobody needs the VPN.',
      expect.stringMatching(/^OLD {2}confidence 1 {2}\d{4}-\d\d-\d\d$/),
      expect.stringMatching(/^(?:Deploys need the VPN|The VPN is in Oslo)$/),
    ]);
  });

  it('prints both notes in full as JSON, and filters by project and number', async () => {
    const { one, two, newer } = await writeProposals();
    const { proposals, total } = await json();
    expect(total).toBe(2);
    expect(proposals.map((proposal: Json) => [proposal.newer.id, proposal.older.id])).toEqual(
      [one.id, two.id].sort().map((id) => [newer.id, id]),
    );
    expect(proposals[0].newer).toMatchObject({ body: 'Nobody needs the VPN.\n', proposes: [one.id, two.id] });
    expect(await json('list', '--project', 'shop')).toEqual({ proposals, total });
    expect((await run('-n', '1')).stderr).toBe('1 of 2; more: -n 2\n');
    expect(await run('--project', 'global')).toEqual({ code: 0, stdout: '', stderr: 'nothing to review\n' });
  });

  it('accepts by the beginning of an id, one proposal or all', async () => {
    const { one, two, newer } = await writeProposals();
    expect(await run('accept', newer.id.slice(0, 25).toLowerCase(), '--older', two.id)).toEqual({
      code: 0,
      stdout: `recorded proposal.settled ${newer.short_id} supersedes ${named(two)}\n`,
      stderr: '',
    });
    expect(await json('accept', newer.id)).toMatchObject({
      settled: [
        { id: newer.id, older: [one.id], verdict: 'accept', status: 'recorded', event: { kind: 'proposal.settled' } },
      ],
    });
    expect(await store.memory.show(one.id)).toMatchObject({ answer: { superseded_by: newer.id } });
    expect(await run('accept', newer.id)).toEqual({
      code: 0,
      stdout: `unchanged ${newer.short_id}\n`,
      stderr: `warning: ${named(newer)} has no open proposal\n`,
    });
  });

  it('rejects, which restore reverts, and keeps both when asked to', async () => {
    const { one, two, newer } = await writeProposals();
    const refused = await run('reject', newer.id, '--older', one.id);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('--keep');
    const rejected = await run('reject', newer.id);
    expect(rejected.stdout).toMatch(
      new RegExp(`^recorded proposal\\.settled ${newer.short_id} is forgotten; note .*, note .* stay\\n$`),
    );
    for (const older of [one, two]) expect(rejected.stdout).toContain(named(older));
    expect((await store.memory.show(newer.id)).ok).toBe(false);
    expect((await home.run(['restore', newer.id])).code).toBe(0);
    expect(await json('reject', '--keep', newer.id, '--older', one.id)).toMatchObject({
      settled: [{ older: [one.id], verdict: 'keep-both', status: 'recorded' }],
    });
    expect((await json()).total).toBe(1);
    expect((await run('reject', newer.id, '--keep')).stdout).toContain(`${newer.short_id} stays beside ${named(two)}`);
    expect((await store.memory.show(newer.id)).ok).toBe(true);
  });

  it('refuses unknown notes and says what is wrong with the arguments', async () => {
    const { newer } = await writeProposals();
    const unknown = '01J0000000000000000000000A';
    expect(await run('accept', unknown)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no note'),
    });
    expect(await run('reject', newer.id, unknown)).toMatchObject({ code: 1 });
    expect((await store.memory.show(newer.id)).ok).toBe(true);
    expect(JSON.parse((await run('accept', '../../etc/passwd', '--json')).stdout)).toMatchObject({
      error: { code: 'id-invalid' },
    });
    expect(await run('accept')).toMatchObject({ code: 2, stderr: expect.stringContaining('review accept --help') });
    expect(await run('bogus')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('accept', newer.id, unknown, '--older', newer.id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--older picks a proposal of one note'),
    });
    expect((await json()).total).toBe(2);
  });

  it('lists nothing without a store and creates none', async () => {
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: 'nothing to review\n' });
    expect((await run('accept', '01J0000000000000000000000A')).code).toBe(1);
    expect(store.memory.exists()).toBe(false);
  });

  it('prints help for itself and its subcommands', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/accept .*\n[\s\S]*reject /) });
    expect((await run('reject', '--help')).stdout).toMatch(/--keep +keep the new note beside the old one/);
  });

  it('fits a terminal and names the next command', async () => {
    await writeProposals();
    const lines = (await home.onTerminal(['review'])).stdout.split('\n');
    const listed = lines.slice(
      0,
      lines.findIndex((text) => text.startsWith('anamnesis review')),
    );
    expect(listed.length).toBeGreaterThan(8);
    for (const text of listed) expect(widthOf(text.replace(/\x1b\[\d+m/g, ''))).toBeLessThanOrEqual(80);
    expect(lines.join('\n')).toContain('anamnesis review accept ID');
  });
});

describe('the listing of a proposal', () => {
  const note = {
    id: 'A',
    type: 'semantic',
    short_id: 'AAAAAA',
    title: 'A title',
    project: 'shop',
    machine_id: 'laptop',
    scope: 'portable',
    user_id: 'self',
    workspace_id: 'personal',
    prov_source: 'session-end',
    written_by: 'learned',
    confidence: 0.6,
    tags: [],
    created_at: '2026-11-21T11:00:00+00:00',
    updated_at: '2026-11-21T11:00:00+00:00',
    version: '0',
    body: 'Text.',
  };
  const listed = (fields: Partial<Proposal['newer']>, width = 80): readonly string[] =>
    formatProposals([{ newer: { ...note, ...fields }, older: { ...note, id: 'B' } }], width).split('\n');

  it('stays in its width with any text', () => {
    const texts = [
      'x'.repeat(500),
      '日本語'.repeat(200),
      '👩‍👩‍👧🚀 '.repeat(300),
      'word '.repeat(400),
      '⚠️'.repeat(60),
      `❤️${'x'.repeat(22)} `.repeat(40),
      '1️⃣ 2️⃣ '.repeat(80),
      '',
      '\u001b[31mred\u202e\n# b',
    ];
    for (const text of texts) {
      for (const width of [43, 80, 120]) {
        const lines = listed({ body: text, title: text, project: text, agent: text }, width);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(lines.length).toBeLessThanOrEqual(17);
        expect(lines.join('')).not.toMatch(/[\u001b\u202e]/);
      }
    }
  });

  it('marks where text was left out, and only there', () => {
    expect(listed({ body: 'word '.repeat(400) })[9]).toContain('…');
    expect(listed({ body: 'a few words\n\nin two paragraphs' }).join('\n')).not.toContain('…');
    expect(listed({ body: 'x '.repeat(40 * 6).trim() }).join('\n')).not.toContain('…');
  });
});
