import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTrivial, sessionNote } from '../../../src/agents/capture/note/session-note.js';
import { readLastExchanges, readSession } from '../../../src/agents/capture/read-session.js';
import { filesOf, type Session } from '../../../src/agents/capture/session.js';

/** Real transcripts, which are not part of the repository; a person read them and noted what they contain. */
const folder = join(process.cwd(), '../shared/transcripts');
const names = [
  'v1.0-inline-sidechains',
  'v2.0-thinking-apierror',
  'v2.0-tiny-compact',
  'v2.1-compaction-progress',
  'v2.1-glued-line',
  'v2.1.220-entry-type-catalogue',
] as const;
const pathOf = (name: (typeof names)[number]): string => join(folder, `${name}.jsonl`);
/** One holds only a greeting, the other only placeholders. */
const trivial: ReadonlySet<string> = new Set(['v2.0-tiny-compact', 'v2.1.220-entry-type-catalogue']);
const read = (name: (typeof names)[number]): Promise<Session> => readSession(pathOf(name));
const startsOf = ({ turns }: Session): readonly string[] => turns.map(({ prompt }) => prompt.slice(0, 24));

describe.skipIf(!existsSync(folder))('real transcripts', () => {
  it.each(names)('%s is read to its end, the same each time and without e-mail addresses', async (name) => {
    const session = await read(name);
    expect(session.bytes).toBe(statSync(pathOf(name)).size);
    expect(await read(name)).toEqual(session);
    expect(isTrivial(session)).toBe(trivial.has(name));
    const note = sessionNote(session, 'import');
    expect(note.body.length).toBeLessThanOrEqual(2500);
    expect(`${JSON.stringify(session)}${note.title}${note.body}`).not.toMatch(/[\w.+-]+@[\w-]+\.[a-z]{2,}/i);
    expect(await readLastExchanges(pathOf(name), { count: 5, maxChars: 3000 })).not.toEqual([]);
  });

  it('version 1.0 has subagents among its lines', async () => {
    const session = await read('v1.0-inline-sidechains');
    expect(startsOf(session)).toEqual(['/orchestrator create TOD', 'Thanks! Please update CL']);
    expect(session.turns.map(({ files }) => files)).toEqual([[], ['CLAUDE.md']]);
    expect(session.subagents.map(({ task, files }) => [task, files.length])).toEqual([
      ['Setup Next.js project', 6],
      ['Build TODO components', 5],
      ['Create data models', 7],
      ['Implement state management', 5],
      ['Create main page integration', 3],
    ]);
    // Its summary line belongs to another session.
    expect(session).toMatchObject({
      id: 'fe5e1c67-53e7-4862-81ae-d0e013e3270b',
      title: undefined,
      cwd: '/path/to/Demo',
    });
  });

  it('version 2.0 has API errors and a document of 340 KB', async () => {
    const session = await read('v2.0-thinking-apierror');
    expect(session.turns).toHaveLength(15);
    expect(session.turns.every(({ outcome }) => outcome !== '')).toBe(true);
    expect(filesOf(session)).toHaveLength(18);
    expect(filesOf(session)).toContain('src/agent/scenario-agent.ts');
    expect(session.turns[9]?.failures.map(({ command, ending }) => [command.slice(0, 13), ending])).toEqual([
      ['curl -L https', 'failed'],
      ['npm run build', 'succeeded-later'],
    ]);
    expect(session).toMatchObject({ branch: 'main', compactions: [], subagents: [] });
  });

  it('version 2.0 has few lines and was compacted by hand', async () => {
    const session = await read('v2.0-tiny-compact');
    expect(session.turns.map(({ prompt, isSlashCommand }) => [prompt, isSlashCommand])).toEqual([
      ['/clear', true],
      ['how are you doing', false],
      ['/compact', true],
    ]);
    expect(session.compactions).toHaveLength(1);
    expect(session.compactions[0]).toMatch(/^1\. Primary Request and Intent:\n.*on\.\.$/s);
    expect(sessionNote(session, 'manual').title).toBe('how are you doing');
  });

  it('version 2.1 has progress, a compaction and a subagent in a file', async () => {
    const session = await read('v2.1-compaction-progress');
    expect(startsOf(session)).toEqual(['Implement spotter-gqc', 'did you push?']);
    expect(session.turns[0]?.outcome).toMatch(/^All done\. The \*\*spotter-gqc\*\* epic is fully implemented/);
    expect(filesOf(session)).toHaveLength(26);
    expect(session.subagents).toMatchObject([
      { id: 'a881341', type: 'claude-code-guide', task: 'Research Claude hook output', files: [] },
    ]);
    expect(session.subagents[0]?.outcome).toMatch(/^Based on the official Claude Code hooks documentation/);
    const [summary = ''] = session.compactions;
    expect(summary).toMatch(/^1\. Primary Request and Intent:/);
    expect(summary).toMatch(/gqc\.7 still open\)\.$/);
    const failures = session.turns.flatMap((turn) => turn.failures);
    expect(failures.map(({ command, ending, times }) => [command.slice(0, 9), ending, times])).toEqual([
      ['git push ', 'succeeded-later', 1],
      ['mix test ', 'succeeded-later', 4],
    ]);
  });

  it('version 2.1 has a glued line and an interrupted turn', async () => {
    const session = await read('v2.1-glued-line');
    expect(session.title).toBe('Add agent name to logging context');
    expect(session.turns.map(({ isInterrupted, outcome }) => [isInterrupted, outcome !== ''])).toEqual([
      [false, true],
      [false, true],
      [false, true],
      [true, false],
      [false, true],
    ]);
    expect(filesOf(session)).toEqual(
      ['context.go', 'context_test.go', 'logger.go', 'logger_test.go'].map((file) => `cmd/entire/cli/logging/${file}`),
    );
    expect(session.subagents).toMatchObject([{ type: 'Explore', task: 'Explore CLI logging patterns' }]);
  });

  /** The least that the note of each transcript must contain of what a person finds in it. */
  it.each<[(typeof names)[number], readonly RegExp[]]>([
    [
      'v1.0-inline-sidechains',
      [/^Title: .*TODO app by Next\.js/m, /^- done/m, /Next\.js 14 with TypeScript, Tailwind/],
    ],
    [
      'v2.0-thinking-apierror',
      [
        /unverified: the user reported “npm error Exit handler never called!”/,
        /the agent doing the driving the browser/,
        /oracle need to be the same agent/,
        /in-container computer use tool suite so that/,
        /apple container instead of docker/,
        /`npm run build` failed.* it passed/,
        /18 files/,
      ],
    ],
    ['v2.1-compaction-progress', [/^- done/m, /no upstream branch/, /`mix test .* failed 4 times/, /commit `a230dbf`/]],
    [
      'v2.1-glued-line',
      [
        /interrupted at “Implement 1,2 and 3\.”/,
        /not really logging the agent any where/,
        /`mise run fmt && mise run lint` failed/,
        /“Want me to proceed with implementing all three/,
        /on the agent's list: Add WithAgent to hook_registry\.go/,
      ],
    ],
  ])('the note of %s holds what a person finds in it', async (name, finds) => {
    const { title, body } = sessionNote(await read(name), 'import');
    for (const find of finds) expect(`Title: ${title}\n${body}`).toMatch(find);
    expect(body).not.toMatch(/\d+:\d+Z · |Primary Request and Intent/);
  });

  it('the catalogue of line types up to 2.1.220 has an id, a title and a folder', async () => {
    const session = await read('v2.1.220-entry-type-catalogue');
    expect(session).toMatchObject({ id: 'ses_stage0_small', title: 'Stage0 small fixture', cwd: '/tmp' });
  });
});
