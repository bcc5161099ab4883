/** An agent acts on notes that it was given: the real Claude Code, from injection to a changed note. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBinary } from './support/client.js';
import { contextOf, fieldsOf, listOf, type ModelRequest, textOf, wholeText } from './support/model-request.js';
import { openStage, type Stage } from './support/stage.js';

describe.skipIf(clientBinary === undefined)('an agent that is given notes', () => {
  let stage: Stage;
  const lastRequest = (session: string): ModelRequest =>
    stage.mock.requests.filter((request) => request.session === session && request.kind === 'turn').at(-1)!;

  beforeAll(async () => {
    stage = await openStage(clientBinary ?? '');
    const { code, stderr } = await stage.anamnesis(
      ...['init', '--yes', '--home', stage.store, '--machine-id', 'airship', '--local-only', '--approve-write'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
  afterAll(() => stage?.close());

  it('writes a note without a project into the project of its folder', async () => {
    const session = randomUUID();
    const input = { type: 'semantic', title: 'The mast is of ash', body: 'It was hewn in 1911.' };
    await stage.say({
      session,
      prompt: 'Remember what the mast is made of.',
      steps: [
        { kind: 'tool', name: 'mcp__anamnesis__memory_write', input },
        { kind: 'text', text: 'I wrote it down.' },
      ],
    });
    const note = (await stage.notes()).find(({ title }) => title === input.title);
    expect(note?.project).toBe('hangar');
    // The model reads the result once; the note is not sent back to it.
    expect(wholeText(lastRequest(session)).split(note?.id ?? '?')).toHaveLength(2);
  });

  it('supersedes a stale note by the id that it was shown, without a search', async () => {
    const title = 'Ballast is sand from the quarry';
    expect((await stage.anamnesis('write', title, '--body', 'Forty sacks of it.')).code).toBe(0);
    const session = randomUUID();
    await stage.say({ session, prompt: 'Good morning.' });
    const told = contextOf(lastRequest(session), 'SessionStart');
    const [, shown = ''] = new RegExp(`## \\[semantic\\] ${title}\\n_id: (\\w+) `).exec(told) ?? [];
    expect(shown).toMatch(/^[0-9A-Z]{6}$/);
    await stage.say({
      session,
      resume: true,
      prompt: 'We take water as ballast since the quarry closed.',
      steps: [
        {
          kind: 'tool',
          name: 'mcp__anamnesis__memory_write',
          input: { type: 'semantic', title: 'Ballast is water', body: 'The quarry closed.', supersedes: shown },
        },
        { kind: 'text', text: 'Noted.' },
      ],
    });
    const listed = await stage.anamnesis('list', '--json', '--limit', '200');
    const notes = listOf(fieldsOf(JSON.parse(listed.stdout))['notes']).map(fieldsOf);
    const [older, newer] = [title, 'Ballast is water'].map((one) => notes.find((note) => note['title'] === one));
    expect(older?.['superseded_by']).toBe(newer?.['id']);
    expect(textOf(newer?.['agent'])).toMatch(/claude/i);
  });

  it('is told of all 100 notes of a project, within the budget of the client', async () => {
    const lines = Array.from({ length: 98 }, (_, at) => {
      const title = `Gauge ${at} of the engine room reads ${at * 7} at cruising height`;
      return JSON.stringify({ id: `gauge-${at}`, title, body: `${title}. `.repeat(6), project: 'hangar' });
    });
    const file = join(stage.home.folder, 'gauges.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect((await stage.anamnesis('import', file)).code).toBe(0);
    const session = randomUUID();
    await stage.say({ session, prompt: 'Which gauges are there?' });
    const told = contextOf(lastRequest(session), 'SessionStart');
    const listed = await stage.anamnesis('list', '--json', '--limit', '200', '--project', 'hangar');
    const live = listOf(fieldsOf(JSON.parse(listed.stdout))['notes'])
      .map(fieldsOf)
      .filter((note) => note['superseded_by'] === undefined && !listOf(note['tags']).includes('session'));
    expect(live).toHaveLength(100);
    const missing = live.filter((note) => !told.includes(textOf(note['short_id'])));
    expect(missing).toEqual([]);
    expect(told.length).toBeLessThanOrEqual(9500);
  });
});
