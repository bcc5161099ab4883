/**
 * The real Claude Code with the hooks and the server that `anamnesis init` wrote, against a mock of its API: what one
 * session learns, later ones know. The tests build on each other, in their order.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientBinary } from './support/client.js';
import { hooksThatRan } from './support/complaints.js';
import { compactionSummary, type Step } from './support/mock-anthropic.js';
import { contextOf, type ModelRequest, wholeText } from './support/model-request.js';
import { openStage, type Stage } from './support/stage.js';

const doorNote = {
  type: 'semantic',
  title: 'The hangar door opens to the north',
  body: 'The zeppelin leaves by the north door, because the south one is rusted shut.',
  project: 'hangar',
};
const writeDoor: Step = { kind: 'tool', name: 'mcp__anamnesis__memory_write', input: doorNote };

describe.skipIf(clientBinary === undefined)('the memory of Claude Code', () => {
  let stage: Stage;
  const foreignSettings = '{\n    "cleanupPeriodDays": 20,\n    "env": { "FOREIGN": "1" }\n}';
  const [writing, reading, asking, compacting] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const requestsOf = (session: string): readonly ModelRequest[] =>
    stage.mock.requests.filter((request) => request.session === session && request.kind === 'turn');
  const lastRequest = (session: string): ModelRequest => requestsOf(session).at(-1)!;

  beforeAll(async () => {
    stage = await openStage(clientBinary ?? '');
    writeFileSync(join(stage.home.config, 'settings.json'), foreignSettings);
    const { code, stderr } = await stage.anamnesis(
      ...['init', '--yes', '--home', stage.store, '--machine-id', 'airship', '--local-only', '--approve-write'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
  afterAll(() => stage?.close());

  it('is registered so that the client accepts every hook and reaches the server', async () => {
    const ended = await stage.say({ session: randomUUID(), prompt: 'hello' });
    const init = ended.events.find((event) => event['subtype'] === 'init');
    expect(init?.['mcp_servers']).toEqual([expect.objectContaining({ name: 'anamnesis', status: 'connected' })]);
    expect(init?.['tools']).toContain('mcp__anamnesis__memory_search');
    expect(hooksThatRan(ended.events)).toEqual(['SessionStart:startup', 'UserPromptSubmit', 'Stop']);
  });

  it('stores a note that a session writes through memory_write', async () => {
    await stage.say({
      session: writing,
      prompt: 'Remember which door of the hangar the zeppelin takes.',
      steps: [writeDoor, { kind: 'text', text: 'I wrote down that it is the north door.' }],
    });
    const note = (await stage.notes()).find(({ title }) => title === doorNote.title);
    expect(await stage.show(note?.id ?? '')).toMatchObject({ body: doorNote.body, project: 'hangar' });
    expect(wholeText(lastRequest(writing))).toContain(note?.id);
  });

  it('gives that note to the next session of the project at its start', async () => {
    await stage.say({ session: reading, prompt: 'What is left to do today?' });
    const told = contextOf(lastRequest(reading), 'SessionStart');
    expect(told).toContain('# Anamnesis memory (auto-injected)');
    expect(told).toContain(doorNote.body);
  });

  it('adds the note to a prompt that it matches, in a session that did not begin with it', async () => {
    expect((await stage.anamnesis('config', 'set', 'inject_notes', '1')).code).toBe(0);
    for (const title of ['Ballast is sand from the quarry', 'The pilot signs the log in green ink']) {
      expect((await stage.anamnesis('write', title, '--body', `${title}.`, '--project', 'hangar')).code).toBe(0);
    }
    await stage.say({ session: asking, prompt: 'By which hangar door does the zeppelin leave?' });
    const request = lastRequest(asking);
    expect(contextOf(request, 'SessionStart')).not.toContain(doorNote.body);
    expect(contextOf(request, 'UserPromptSubmit')).toContain('# Anamnesis memory (recalled for this prompt)');
    expect(contextOf(request, 'UserPromptSubmit')).toContain(doorNote.body);
  });

  it('adds nothing to a prompt that no note matches', async () => {
    const session = randomUUID();
    await stage.say({ session, prompt: 'Run the tests again, please.' });
    expect(contextOf(lastRequest(session), 'UserPromptSubmit')).toBe('');
  });

  it('captures every session, with what was asked and what came of it', async () => {
    const captured = await Promise.all([writing, reading, asking].map((session) => stage.captured(session)));
    expect(captured.map(({ project }) => project)).toEqual(['hangar', 'hangar', 'hangar']);
    expect(captured[0]?.body).toContain('Remember which door of the hangar the zeppelin takes.');
    expect(captured[0]?.body).toContain('I wrote down that it is the north door.');
    expect(captured[0]?.tags).toContain('session-end');
    // Notes that a session was given are not part of what was said in it.
    for (const { body } of captured.slice(1)) expect(body).not.toContain('rusted shut');
  });

  it('captures a resumed session into the note that it already has', async () => {
    const before = await stage.captured(reading);
    await stage.say({ session: reading, resume: true, prompt: 'And who polishes the propeller tomorrow?' });
    const after = await stage.captured(reading, ({ body }) => body.includes('polishes the propeller'));
    expect(after.id).toBe(before.id);
    expect(after.body).toContain('What is left to do today?');
  });

  it('survives a compaction: it is captured before and given back after', async () => {
    const ended = await stage.say({
      session: compacting,
      prompt: ['How is the windmill behind the hangar oiled?', '/compact', 'Which wrench does it take?'],
      steps: [
        { kind: 'text', text: 'With three drops of whale oil on the main bearing.' },
        { kind: 'text', text: 'A wrench of nine eighths.' },
      ],
    });
    expect(stage.mock.requests.filter(({ kind }) => kind === 'compaction').map(({ session }) => session)).toEqual([
      compacting,
    ]);
    expect(hooksThatRan(ended.events)).toEqual([
      ...['SessionStart:startup', 'UserPromptSubmit', 'Stop'],
      ...['SubagentStop', 'SessionStart:compact'],
      ...['UserPromptSubmit', 'Stop'],
    ]);
    const request = lastRequest(compacting);
    expect(wholeText(request)).toContain(compactionSummary);
    const told = contextOf(request, 'SessionStart');
    expect(told).toContain('# Anamnesis memory (this session so far)');
    expect(told).toContain('With three drops of whale oil on the main bearing.');
    const note = await stage.captured(compacting, ({ body }) => body.includes('A wrench of nine eighths.'));
    expect(note.body).toContain('How is the windmill behind the hangar oiled?');
    // When a session continues, its turns tell more than the summary.
    expect(note.body).not.toContain(compactionSummary);
    expect(
      (await stage.notes()).filter(({ session, tags }) => session === compacting && tags.includes('session')),
    ).toHaveLength(1);
  });

  it('captures four sessions that run at the same time', async () => {
    const sessions = [1, 2, 3, 4].map((number) => ({
      session: randomUUID(),
      prompt: `Count the rivets of gondola ${number}`,
    }));
    await Promise.all(sessions.map((said) => stage.say(said)));
    for (const { session, prompt } of sessions) expect((await stage.captured(session)).body).toContain(prompt);
  });

  it('is found again, and its index equals its journal', async () => {
    const found = await stage.anamnesis('search', 'rusted shut', '--json');
    expect(JSON.parse(found.stdout).hits[0]).toMatchObject({ title: doorNote.title });
    const replayed = await stage.anamnesis('replay', '--verify', '--json');
    expect(replayed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(replayed.stdout)).toMatchObject({ verified: true, skipped: 0 });
  });

  it('leaves no trace in a session once it is uninstalled', async () => {
    const notes = await stage.notes();
    expect((await stage.anamnesis('uninstall', '--yes')).code).toBe(0);
    expect(readFileSync(join(stage.home.config, 'settings.json'), 'utf8')).toBe(foreignSettings);
    expect(readFileSync(join(stage.home.config, '.claude.json'), 'utf8')).not.toContain('anamnesis');
    const session = randomUUID();
    const ended = await stage.say({ session, prompt: 'By which hangar door does the zeppelin leave?' });
    expect(hooksThatRan(ended.events)).toEqual([]);
    const { body } = lastRequest(session);
    expect(JSON.stringify(body)).not.toMatch(/anamnesis/i);
    expect(await stage.notes()).toEqual(notes);
  });
});
