import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withNames } from '../../src/cli/note-names.js';
import { type Json, openHome, type TestHome } from './support.js';

const id = '01J9XK3VZ0QF4T8M2N6P7R9SBD';
const notes = {
  names: async (ids: readonly string[]) =>
    new Map(ids.flatMap((one) => (one === id ? [[one, { shortId: 'R9SBD7', title: 'Ports' }] as const] : []))),
};

describe('a sentence with ids of notes', () => {
  it.each([
    [`note ${id} was forgotten`, 'note R9SBD7 ("Ports") was forgotten'],
    [`bring it back: anamnesis restore ${id}`, 'bring it back: anamnesis restore R9SBD7'],
    [`note ${id} ("Ports") says nearly the same, ${id}.`, 'note R9SBD7 ("Ports") says nearly the same, R9SBD7.'],
    [`semantic/BD/${id}.md and ${id}.md stay`, `semantic/BD/${id}.md and ${id}.md stay`],
    [
      `if it replaces it, write this again with supersedes ${id}`,
      'if it replaces it, write this again with --supersedes R9SBD7',
    ],
    ['note 01J9XK3VZ0QF4T8M2N6P7R9SBE is none', 'note 01J9XK3VZ0QF4T8M2N6P7R9SBE is none'],
  ])('%s', async (text, shown) => {
    expect(await withNames(notes, [text])).toEqual([shown]);
  });
});

describe('a person is shown short ids', () => {
  let home: TestHome;
  let old: Json;
  let young: Json;
  beforeAll(async () => {
    home = openHome();
    old = await home.json(['write', 'Deploys need the VPN', '--body', 'The registry hangs without it.']);
    young = await home.json(['write', 'Deploys run from CI', '--body', 'Nobody needs it.', '--supersedes', old.id]);
  });
  afterAll(() => home.remove());

  it('with titles when a note is shown with others', async () => {
    expect((await home.run(['show', old.id])).stdout).toMatch(
      new RegExp(`^superseded by +${young.short_id} Deploys run from CI$`, 'm'),
    );
    expect((await home.run(['show', young.id])).stdout).toMatch(
      new RegExp(`^supersedes +${old.short_id} Deploys need the VPN$`, 'm'),
    );
  });
  it('in warnings and refusals, while JSON has whole ids', async () => {
    const again = ['write', 'Deploys run from CI', '--body', 'Nobody needs it.'];
    expect((await home.run(again)).stderr).toContain(
      `note ${young.short_id} ("Deploys run from CI") says this already`,
    );
    expect((await home.json(again)).warnings[0]).toContain(young.id);
    const ran = await home.run(['edit', young.id, '--title', 'x', '--if-version', '0'.repeat(40), '--json']);
    expect(ran.stderr).toContain(`note ${young.short_id} ("Deploys run from CI") changed since you read it`);
    expect(JSON.parse(ran.stdout).error.message).toContain(young.id);
  });
  it('and the title of a note that was forgotten', async () => {
    const forgets = async () => (await home.run(['rm', young.id])).stdout;
    expect(await forgets()).toBe(`recorded note.forgotten ${young.short_id} Deploys run from CI\n`);
    expect(await forgets()).toBe(`unchanged ${young.short_id}\n`);
    expect((await home.run(['edit', young.id, '--title', 'x'])).stderr).toContain(
      `anamnesis restore ${young.short_id}`,
    );
  });
});
