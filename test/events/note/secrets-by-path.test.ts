/** Generated secrets on every path into the journal: written, imported, and captured from a transcript. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionNote } from '../../../src/agents/capture/note/session-note.js';
import { readSession } from '../../../src/agents/capture/read-session.js';
import { isShown, kindCount, type MadeSecret, makeSecrets } from '../../support/secrets/secrets.js';
import { openStore, type TestStore, writeCommand } from '../../support/store.js';
import { putTranscript, Transcript } from '../../support/transcripts.js';

/** One of each kind; `SECRETS=2000` tries 2000 of them on every path. */
const count = Number(process.env['SECRETS'] ?? kindCount);
const made = makeSecrets(Number(process.env['SEED'] ?? 7), count);
const atMost = Math.ceil(count * 0.03);

let store: TestStore;
beforeAll(() => {
  store = openStore();
});
afterAll(() => store.close());

/** Returns the texts of the files in memory/ by title. */
const notesByTitle = (): ReadonlyMap<string, string> => {
  const folder = join(store.home, 'memory');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [/^title: (.*)$/m.exec(text)?.[1] ?? name, text];
    }),
  );
};
const exposed = (way: string): readonly string[] => {
  const notes = notesByTitle();
  return made.flatMap((secret: MadeSecret, i) => {
    const note = notes.get(`${way} ${i}`);
    expect(note, `${way} ${i}`).toBeDefined();
    return isShown(secret, note ?? '') ? [`${secret.kind}: ${secret.text}`] : [];
  });
};

describe(`of ${count} generated secrets at least 97 in 100 stay out of git`, () => {
  it('when notes are written', async () => {
    await Promise.all(
      made.map(({ text }, i) => store.memory.submit(writeCommand({ title: `written ${i}`, body: `${text}\n` }))),
    );
    expect(exposed('written').length, exposed('written').join('\n')).toBeLessThanOrEqual(atMost);
  }, 600_000);

  it('when notes are imported', async () => {
    const notes = made.map(({ text }, i) => ({
      sourceKey: `jsonl:made/${i}`,
      title: `imported ${i}`,
      body: `${text}\n`,
      tags: [],
      keywords: [],
      project: 'global',
      type: 'semantic' as const,
      createdAtMs: Date.UTC(2026, 0, 1),
      updatedAtMs: undefined,
    }));
    await store.memory.perform({ kind: 'import', from: 'made', notes, files: [] });
    expect(exposed('imported').length, exposed('imported').join('\n')).toBeLessThanOrEqual(atMost);
  }, 600_000);

  it('when a session is captured whose prompt, failed command and answer contain them', async () => {
    for (const [i, { text }] of made.entries()) {
      const transcript = new Transcript({ session: `session-${i}` });
      transcript.prompt(`Find out why this fails.\n${text}`);
      transcript.run('make deploy', `Exit code 255\n${text}`);
      transcript.reply(`It failed with this, which I changed since then:\n${text}`);
      const session = await readSession(putTranscript(transcript, `session-${i}.jsonl`));
      const { body, tags } = sessionNote(session, 'manual');
      await store.memory.perform({
        kind: 'capture',
        session: `session-${i}`,
        title: `captured ${i}`,
        body,
        tags,
        project: 'global',
        startedAtMs: Date.UTC(2026, 0, 1),
      });
    }
    expect(exposed('captured').length, exposed('captured').join('\n')).toBeLessThanOrEqual(atMost);
  }, 600_000);
});
