/** `anamnesis import`. */
import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newerFile } from '../../import/native-support.js';
import { folderWith } from '../../import/support.js';
import { type Ran, runHere } from '../../support/command-line.js';
import type { Json } from '../support.js';

const openHome = (
  files: Readonly<Record<string, string>>,
): { folder: string; run(...args: string[]): Promise<Ran> } => {
  const folder = folderWith(files);
  mkdirSync(join(folder, 'work'));
  return {
    folder,
    run: (...args) => {
      const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, ANAMNESIS_MACHINE_ID: 'testbox' };
      return runHere(args, { cwd: join(folder, 'work'), env });
    },
  };
};
const jsonOf = ({ code, stdout, stderr }: Ran): Json => {
  if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
};

/** A session of one prompt and one answer, as Claude Code writes it. */
const sessionLines = (prompt: string, sessionId = '0b7c2f9e-1111-4222-8333-444455556666'): string => {
  const uuid = (turn: string): string => `${turn}-${sessionId}`;
  const shared = { sessionId, cwd: '/nowhere/shop', isSidechain: false };
  const lines = [
    {
      ...shared,
      type: 'user',
      uuid: uuid('u1'),
      parentUuid: null,
      timestamp: '2026-11-01T10:00:00.000Z',
      message: { role: 'user', content: prompt },
    },
    {
      ...shared,
      type: 'assistant',
      uuid: uuid('u2'),
      parentUuid: uuid('u1'),
      timestamp: '2026-11-01T10:01:00.000Z',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-x',
        content: [{ type: 'text', text: 'The tax of an order is rounded once now, in src/tax.ts.' }],
      },
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};

const memory = { '.claude/projects/-nowhere-shop/memory/a.md': newerFile({ kind: 'feedback' }) };

describe('anamnesis import', () => {
  it("without a path imports Claude Code's own memory", async () => {
    const { run } = openHome({ ...memory, '.claude/projects/-nowhere-shop/memory/b.md': '' });
    const first = jsonOf(await run('import', '--json'));
    expect(first).toEqual({
      format: 'claude-code',
      imported: 1,
      updated: 0,
      skipped: 0,
      event: { id: expect.any(String), kind: 'notes.imported', at: expect.any(String) },
      masked: [],
      warnings: [],
      problems: [{ where: 'projects/-nowhere-shop/memory/b.md:1', message: 'the file is empty' }],
      passed: [],
      moved: [],
      missing: [],
    });
    const again = await run('import', '--no-sync');
    expect(again.stdout).toBe('unchanged 0 imported, 0 updated, 1 unchanged (claude-code)\n');
    expect(again.stderr).toContain('b.md:1: the file is empty');
  });

  it('reads that memory from a given folder, and CLAUDE.md files only when asked', async () => {
    const { folder, run } = openHome({ 'other/CLAUDE.md': 'Answer in English.\n', ...memory });
    const other = join(folder, 'other');
    expect(jsonOf(await run('import', '--claude-home', other, '--json'))).toMatchObject({ imported: 0, event: null });
    expect(jsonOf(await run('import', '--claude-home', other, '--claude-md', '--json'))).toMatchObject({ imported: 1 });
    expect(jsonOf(await run('import', join(folder, '.claude'), '--json'))).toMatchObject({
      format: 'claude-code',
      imported: 1,
    });
  });

  it.each<readonly [args: readonly string[], code: number, message: RegExp]>([
    [[], 1, /Claude Code has no folder here: .* doesn't exist; name the folder with --claude-home DIR/],
    [['--claude-home', 'nowhere'], 1, /claude-home must be a folder that exists; given: .*nowhere/],
    [['--from', 'claude-mem'], 2, /--from claude-mem needs a path/],
    [['notes', '--claude-home', '.'], 2, /two sources/],
    [['notes', '--claude-md'], 2, /--claude-md is for a Claude home/],
    [['transcripts', '--from', 'jsonl'], 2, /takes no --from/],
    [['notes', '--from', 'nothing'], 2, /Allowed choices are .*claude-mem/],
    [['transcripts'], 1, /Claude Code has no folder here: /],
    [['nowhere'], 1, /path must be a file or folder that exists; given: nowhere/],
  ])('refuses %j', async (args, code, message) => {
    const ran = await openHome({}).run('import', ...args);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toMatch(message);
  });

  it('treats a folder called transcripts as a folder', async () => {
    const { folder, run } = openHome({});
    mkdirSync(join(folder, 'work/transcripts'));
    expect((await run('import', 'transcripts')).stderr).toContain('a folder of markdown');
  });

  it('imports the transcripts of Claude Code, one note for each session', async () => {
    const { run } = openHome({
      '.claude/projects/-nowhere-shop/0b7c2f9e-1111-4222-8333-444455556666.jsonl': sessionLines(
        'Round the tax of an order once',
      ),
      '.claude/projects/-nowhere-shop/0b7c2f9e-1111-4222-8333-444455556667.jsonl': sessionLines(
        'hi',
        '0b7c2f9e-1111-4222-8333-444455556667',
      ),
    });
    expect(jsonOf(await run('import', 'transcripts', '--json'))).toEqual({
      format: 'transcripts',
      imported: 1,
      updated: 0,
      skipped: 0,
      trivial: 1,
      event: null,
      masked: [],
      warnings: [],
      problems: [],
      passed: [],
      moved: [],
      missing: [],
    });
    const again = '0 imported, 0 updated, 1 unchanged, 1 left out with nothing worth a note (transcripts)';
    expect((await run('import', 'transcripts')).stdout).toBe(`unchanged ${again}\n`);
    await run('forget', jsonOf(await run('list', '--json')).notes[0].id);
    expect((await run('import', 'transcripts')).stdout).toBe(`unchanged ${again}\n`);
  });

  it('shows with --dry-run what would become of transcripts and creates nothing', async () => {
    const path = '.claude/projects/-nowhere-shop/0b7c2f9e-1111-4222-8333-444455556666.jsonl';
    const { folder, run } = openHome({ [path]: sessionLines('Round the tax of an order once') });
    expect((await run('import', 'transcripts', '-n')).stdout).toMatch(
      /^CHANGE .*TITLE\nimported +shop +Round the tax of an order once\nnothing recorded; this would be: 1 imported, 0 /,
    );
    expect(readdirSync(folder).toSorted()).toEqual(['.claude', 'work']);
    await run('import', 'transcripts');
    appendFileSync(
      join(folder, path),
      sessionLines('Never round a discount of an order').replaceAll(/"u(?=\d-)/g, '"v'),
    );
    const { planned, updated } = jsonOf(await run('import', 'transcripts', '-n', '--json'));
    const [{ id }] = jsonOf(await run('list', '--json')).notes;
    expect({ updated, planned }).toMatchObject({ updated: 1, planned: [{ id, change: 'updated', project: 'shop' }] });
    expect(jsonOf(await run('import', 'transcripts', '--json'))).toMatchObject({ updated: 1 });
    expect(jsonOf(await run('import', 'transcripts', '-n', '--json'))).toMatchObject({ skipped: 1, planned: [] });
  });

  it('of a folder needs a project, and shows with --dry-run what it would do', async () => {
    const { folder, run } = openHome({ 'vault/a.md': '# A\n', 'vault/b.txt': 'x', 'vault/c.png': 'x' });
    const vault = join(folder, 'vault');
    const refused = await run('import', vault);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('2 notes name no project; name one: --project vault, or --project global');
    const dry = await run('import', vault, '--project', 'acme', '--dry-run');
    expect(dry.stdout).toBe(
      [
        'CHANGE    PROJECT  TITLE',
        'imported  acme     A',
        'imported  acme     b',
        'nothing recorded; this would be: 2 imported, 0 updated, 0 unchanged (markdown)\n',
      ].join('\n'),
    );
    expect(dry.stderr).toBe('ignored 1 file that is neither markdown nor .txt: c.png\n');
    rmSync(join(vault, 'c.png'));
    expect((await run('import', vault, '--project', 'acme')).stdout).toMatch(/^recorded notes.imported 2 imported/);
    rmSync(join(vault, 'a.md'));
    const { id } = jsonOf(await run('import', vault, '--project', 'acme', '--json')).missing[0];
    expect((await run('import', vault, '--project', 'acme')).stderr).toBe(
      `a.md is gone; its note stays: ${id.slice(-6)} A\nremove such a note with: anamnesis forget ${id.slice(-6)}\n`,
    );
  });

  it('keeps a note marked machine-local on this machine and says so', async () => {
    const { folder, run } = openHome({ 'a.md': '---\ntitle: Mine\nscope: machine-local\n---\nText.\n' });
    const of = ['import', join(folder, 'a.md'), '--project', 'acme'];
    const dry = await run(...of, '-n');
    expect(dry.stdout).toBe(
      [
        'CHANGE    SCOPE          PROJECT  TITLE',
        'imported  machine-local  acme     Mine',
        'nothing recorded; this would be: 1 imported (1 machine-local), 0 updated, 0 unchanged (markdown)\n',
      ].join('\n'),
    );
    expect(dry.stderr).toContain('1 note machine-local, kept on this machine; to publish: --scope portable');
    expect(jsonOf(await run(...of, '-n', '--json'))).toMatchObject({
      machine_local: 1,
      planned: [{ scope: 'machine-local' }],
    });
    const done = await run(...of);
    expect(done.stdout).toContain('1 imported (1 machine-local), 0 updated');
    expect(done.stderr).toMatch(/kept on this machine; to publish: anamnesis move \w{6} --scope portable/);
    expect(jsonOf(await run(...of, '--json'))).toMatchObject({ skipped: 1, warnings: [] });
  });

  it('makes such a note portable when --scope says so', async () => {
    const { folder, run } = openHome({ 'a.md': '---\ntitle: Mine\nscope: machine-local\n---\nText.\n' });
    await run('import', join(folder, 'a.md'), '--project', 'acme', '--scope', 'portable');
    expect(jsonOf(await run('list', '--json')).notes).toMatchObject([{ scope: 'portable' }]);
  });

  it('has an example of each source in its help', async () => {
    const { stdout } = await openHome({}).run('import', '--help');
    for (const word of ['import\n', 'claude-mem.db', 'claude-memory', 'basic-memory', 'memory.jsonl', '--claude-md']) {
      expect(stdout).toContain(word);
    }
  });
});
