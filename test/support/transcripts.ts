/** Made-up transcripts of Claude Code: every shape that real ones have, but no real words. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { anyCharacter } from './any-character.js';

type Fields = Readonly<Record<string, unknown>>;

/** `seed` tells several transcripts of one test apart: their uuids differ. */
export type TranscriptOptions = {
  readonly session?: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly version?: string;
  readonly agent?: string;
  readonly sidechain?: boolean;
  readonly seed?: number;
};

export type Tool = { readonly result?: unknown; readonly isError?: boolean; readonly toolUseResult?: unknown };

/** Lines are one second apart, from 2026-03-01T10:00:00Z; each answers the one before. */
export const firstLineMs = Date.UTC(2026, 2, 1, 10, 0, 0);

/** Writes a transcript line by line. Every method that writes a conversation line returns its uuid. */
export class Transcript {
  readonly lines: string[] = [];
  private readonly common: Fields;
  private readonly seed: number;
  private count = 0;
  private messages = 0;
  private parent: string | null = null;

  constructor(options: TranscriptOptions = {}) {
    const {
      session = 'session-1',
      cwd = '/work/shop',
      branch = 'main',
      version = '2.1.200',
      agent,
      sidechain,
    } = options;
    this.seed = options.seed ?? 1;
    this.common = {
      isSidechain: sidechain ?? agent !== undefined,
      userType: 'external',
      cwd,
      sessionId: session,
      version,
      gitBranch: branch,
      ...(agent === undefined ? {} : { agentId: agent }),
    };
  }

  /** Writes any conversation line; `fields` override the common fields. */
  line(type: string, fields: Fields = {}): string {
    this.count += 1;
    const uuid = uuidOf(this.seed, this.count);
    const at = new Date(firstLineMs + (this.count - 1) * 1000).toISOString();
    const line = { parentUuid: this.parent, ...this.common, type, uuid, timestamp: at, ...fields };
    this.lines.push(JSON.stringify(line));
    this.parent = uuid;
    return uuid;
  }

  /** A line without uuid, such as a title. */
  meta(fields: Fields): void {
    this.lines.push(JSON.stringify(fields));
  }

  prompt(content: unknown, fields: Fields = {}): string {
    return this.line('user', { message: { role: 'user', content }, ...fields });
  }

  command(name: string, args = ''): string {
    return this.prompt(
      `<command-message>${name} is running…</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`,
    );
  }

  /** One API message: a line for each text. */
  reply(...texts: readonly string[]): string {
    this.messages += 1;
    return texts.map((text) => this.block({ type: 'text', text })).at(-1) ?? '';
  }

  /** A call and its result, two lines. */
  tool(name: string, input: Fields, { result = 'ok', isError = false, toolUseResult }: Tool = {}): string {
    this.messages += 1;
    const id = `toolu_${this.seed}_${this.count + 1}`;
    this.block({ type: 'tool_use', id, name, input });
    return this.line('user', {
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: isError }],
      },
      ...(toolUseResult === undefined ? {} : { toolUseResult }),
    });
  }

  run(command: string, failsWith?: string): string {
    return this.tool('Bash', { command }, failsWith === undefined ? {} : { result: failsWith, isError: true });
  }

  block(block: Fields, fields: Fields = {}): string {
    const message = { id: `msg_${this.seed}_${this.messages}`, type: 'message', role: 'assistant', model: 'model-1' };
    return this.line('assistant', { message: { ...message, content: [block], ...fields } });
  }

  attachment(attachment: Fields): string {
    return this.line('attachment', { attachment });
  }

  compact(summary: string): string {
    this.line('system', { subtype: 'compact_boundary', parentUuid: null, content: 'Conversation compacted' });
    return this.prompt(summary, { isCompactSummary: true, isVisibleInTranscriptOnly: true });
  }

  /** The offset in bytes at which the next line begins. */
  get bytes(): number {
    return Buffer.byteLength(this.text());
  }

  /** The transcript, with a line feed after each line. */
  text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }
}

/** Makes a folder that is removed when the test ends. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'anamnesis-transcript-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Puts a transcript where Claude Code would, and returns its path. */
export const putTranscript = (
  content: string | Buffer | Transcript,
  name = 'session-1.jsonl',
  folder = newFolder(),
) => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content instanceof Transcript ? content.text() : content);
  return path;
};

/** A session of every kind of line: two prompts, a slash command, files, a failure, a subagent, a compaction. */
export const typicalTranscript = (options: TranscriptOptions = {}): Transcript => {
  const t = new Transcript(options);
  t.meta({ type: 'file-history-snapshot', messageId: 'm', snapshot: { trackedFileBackups: {} } });
  t.attachment({ type: 'session_context', account: { email: 'person@example.com' } });
  t.prompt('Make the checkout faster');
  t.line('progress', { data: { type: 'hook_progress', hookName: 'SessionStart' } });
  t.reply('I look at the code first.');
  t.tool('Read', { file_path: '/work/shop/src/cart.ts' }, { result: 'export const total = 1;' });
  t.tool('Edit', { file_path: '/work/shop/src/cart.ts', old_string: '1', new_string: '2' });
  t.run('npm test', 'Exit code 1\n\nFAIL test/cart.test.ts\nAssertionError: expected 1 to be 2');
  t.tool('Write', { file_path: '/work/shop/test/cart.test.ts', content: 'x' });
  t.run('npm test');
  t.reply('The checkout is twice as fast now: totals are cached in `src/cart.ts`.');
  t.command('review', 'the cart');
  t.tool(
    'Task',
    { subagent_type: 'Explore', description: 'Find dead code', prompt: 'Look for dead code in src' },
    { result: [{ type: 'text', text: 'There is none.' }] },
  );
  t.reply('Reviewed: nothing to change.');
  t.compact('This session is being continued from a previous conversation.\nAnalysis:\nhm\n\nSummary:\n1. Checkout');
  t.prompt('Commit it');
  t.run('git commit -am faster');
  t.reply('Committed.');
  return t;
};

/** Whole sessions, with the damage that real ones have: glued lines, blank lines, garbage, repeated lines. */
export const anyTranscript: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('prompt' as const), text: fc.string({ unit: anyCharacter }) }),
        fc.record({ kind: fc.constant('reply' as const), text: fc.string({ unit: 'grapheme' }) }),
        fc.record({ kind: fc.constant('run' as const), text: fc.constantFrom('npm test', 'git push', 'ls') }),
        fc.record({ kind: fc.constant('edit' as const), text: fc.constantFrom('/work/shop/a.ts', '/b.ts', 'c.ts') }),
        fc.record({ kind: fc.constant('queued' as const), text: fc.constantFrom('later', 'go on') }),
        fc.record({ kind: fc.constant('compact' as const), text: fc.string() }),
        fc.record({ kind: fc.constant('raw' as const), text: fc.constantFrom('', '{', 'null', '[1]', '{"type":1}') }),
        fc.record({ kind: fc.constant('again' as const), text: fc.constant('') }),
      ),
      { maxLength: 25 },
    ),
    fc.array(fc.nat(24), { maxLength: 3 }),
  )
  .map(([steps, glued]) => {
    const t = new Transcript();
    for (const { kind, text } of steps) {
      if (kind === 'prompt') t.prompt(text);
      else if (kind === 'reply') t.reply(text);
      else if (kind === 'run') t.run(text, text === 'git push' ? 'Exit code 1\nrejected' : undefined);
      else if (kind === 'edit') t.tool('Edit', { file_path: text });
      else if (kind === 'queued') t.attachment({ type: 'queued_command', prompt: text, commandMode: 'prompt' });
      else if (kind === 'compact') t.compact(text);
      else if (kind === 'raw') t.lines.push(text);
      else t.lines.push(t.lines.at(-1) ?? '');
    }
    return t.lines.map((line, i) => (glued.includes(i) ? line : `${line}\n`)).join('');
  });

const uuidOf = (seed: number, count: number): string =>
  `${seed.toString(16).padStart(8, '0')}-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
