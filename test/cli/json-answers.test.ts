/** Real answers of every subcommand and every tool, parsed strictly: a key missing from its schema fails. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { answersOfCommands, answersOfTools } from '../../src/answers/answers-schema.js';
import { Failed } from '../../src/answers/set-up-schema.js';
import { loadGroups } from '../../src/cli/groups.js';
import { makeProgram } from '../../src/cli/run.js';
import { tools } from '../../src/mcp/tools/tools.js';
import { gge1Of, madeUpParts } from '../embedding/made-up-model.js';
import { connect, serverArguments } from '../mcp/support/server.js';
import { openStore, writeNote } from '../support/store.js';
import { putTranscript, typicalTranscript } from '../support/transcripts.js';
import { type Json, openHome, type RunOptions } from './support.js';

const home = openHome();
afterAll(() => home.remove());

const pathOf = (command: Command): string =>
  command.parent?.parent == null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
const leaves = (command: Command): readonly Command[] =>
  command.commands.flatMap((child) => (child.commands.length > 0 ? leaves(child) : [child]));
const commands = leaves(makeProgram(await loadGroups(undefined))).map(pathOf);

const parsed = new Set<string>();

/** Runs the command and parses its answer with its schema. */
const ask = async (
  path: string,
  args: readonly string[] = [],
  options: RunOptions & { code?: number } = {},
): Promise<Json> => {
  const answer = await home.json([...path.split(' '), ...args], options);
  const found = answersOfCommands[path]?.safeParse(answer);
  expect(found?.error, `${path} ${args.join(' ')}`).toBeUndefined();
  parsed.add(path);
  return answer;
};

describe('the answer of every subcommand with --json', () => {
  it('has a schema, and no schema is left over', () => {
    const without = ['completion', 'hook', 'serve'];
    expect(Object.keys(answersOfCommands).sort()).toEqual(commands.filter((name) => !without.includes(name)).sort());
  });

  it('fits its schema before there is a store', async () => {
    for (const name of ['list', 'log', 'stats', 'fleet', 'conflicts', 'compact', 'status', 'recall x', 'search x']) {
      const [path = '', ...args] = name.split(' ');
      await ask(path, args);
    }
    await ask('review list');
    await ask('remote show');
    expect(Failed.safeParse(await home.json(['show', 'ZZZZ'], { code: 1 })).error).toBeUndefined();
  });

  it('fits its schema for notes and their history', async () => {
    await ask('init-store');
    const secret = `token=ghp_${'a1B2'.repeat(9)}`;
    const vpn = await ask('write', [
      'Deploys need the VPN',
      '--body',
      `The registry needs it. ${secret}`,
      '--tag',
      'deploy',
    ]);
    const wal = await ask('write', ['Use WAL mode', '--body', 'x', '--importance', '0.5', '--expires', '2099-01-01']);
    const old = await ask('write', ['Old', '--body', 'old', '--scope', 'machine-local', '--keyword', 'k']);
    const newer = await ask('write', ['Newer', '--body', 'new', '--supersedes', old.id]);
    await ask('supersede', [wal.id, '--by', newer.id]);
    await ask('edit', [vpn.id, '--title', 'Deploys need it']);
    await ask('tag', [vpn.id, 'net']);
    await ask('untag', [vpn.id, 'net']);
    await ask('move', [vpn.id, '--project', 'other']);
    await ask('undo');
    await ask('move', [vpn.id, '--project', 'other']);
    await ask('forget', [wal.id, '--reason', 'gone']);
    await ask('forget', [old.id, newer.id]);
    await ask('restore', [newer.id]);
    await ask('restore', [vpn.id, '--at', 'HEAD']);
    await ask('show', [vpn.id]);
    await ask('show', [vpn.id, '--at', 'HEAD']);
    await ask('list');
    await ask('projects');
    await ask('tags');
    await ask('search', ['VPN']);
    await ask('search', ['VPN', '--at', 'HEAD']);
    await ask('search', ['"the VPN" -registry', '--explain']);
    await ask('search', ['VPN', '--mode', 'exact']);
    await ask('similar', [vpn.id]);
    await ask('recall', ['why does the registry need the VPN']);
    await ask('inject');
    await ask('log');
    await ask('history', [vpn.id]);
    await ask('stats', ['--by', 'project']);
    await ask('diff', ['HEAD~2', '--text']);
    appendFileSync((await home.json(['show', newer.id])).path, 'by hand\n');
    await ask('status');
    await ask('adopt');

    const store = openStore({ home: home.store });
    const first = await writeNote(store.memory, { title: 'Older' });
    const [one, two] = [{ title: 'One' }, { title: 'Two' }];
    const accepted = await writeNote(store.memory, { ...one, proposes: [first.id] });
    const rejected = await writeNote(store.memory, { ...two, proposes: [first.id] });
    await store.close();
    await ask('review list');
    await ask('review reject', [rejected.id]);
    await ask('review accept', [accepted.id]);
    await ask('review accept', [accepted.id]);
  });

  it('fits its schema for imports and captures', async () => {
    writeFileSync(join(home.folder, 'n.jsonl'), '{"id":"x","title":"Imported","body":"text"}\nbad\n');
    await ask('import', [join(home.folder, 'n.jsonl'), '--project', 'p', '--dry-run']);
    await ask('import', [join(home.folder, 'n.jsonl'), '--project', 'p']);
    await ask('capture', ['--transcript', putTranscript(typicalTranscript({ cwd: home.work }))]);
    await ask('capture', ['--transcript', putTranscript('{}\n', 'trivial.jsonl')]);
    await ask('work');
  });

  it('fits its schema for other machines and their conflicts', async () => {
    const remote = join(home.folder, 'remote.git');
    execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', remote]);
    const other = { env: { ANAMNESIS_HOME: join(home.folder, 'other'), ANAMNESIS_MACHINE_ID: 'other' } };
    await ask('sync');
    await ask('remote set', [remote]);
    const { id } = await ask('write', ['Ports', '--body', 'The API is on 8080.']);
    await ask('sync');
    await ask('remote set', [remote], other);
    await ask('sync', [], other);
    await ask('edit', [id, '--title', 'Ports now', '--body', 'The API is on 9090.']);
    await ask('edit', [id, '--title', 'Ports soon', '--body', 'The API is on 7070.'], other);
    await ask('sync');
    await ask('sync', [], other);
    const { conflicts } = await ask('conflicts', [], other);
    expect(conflicts).toHaveLength(1);
    expect((await ask('conflicts', ['--lost'], other)).lost).not.toEqual([]);
    await ask('resolve', [conflicts[0].id, '--theirs'], other);
    await ask('resolve', [conflicts[0].id, '--theirs'], other);
    await ask('fleet', [], other);
    await ask('remote show');
    await ask('remote set', [join(home.folder, 'gone.git')], other);
    await ask('sync', [], { ...other, code: 1 });
    await ask('remote show', [], other);
    await ask('status', [], other);
    await ask('remote remove');
  });

  it('fits its schema for the whole store and for eval', async () => {
    await ask('trace');
    await ask('trace', ['none']);
    await ask('verify');
    await ask('replay');
    await ask('replay', ['--verify']);
    await ask('replay', ['--at', 'HEAD']);
    await ask('compact', ['--full']);
    const backup = join(home.folder, 'b.tar');
    await ask('backup', [backup]);
    await ask('restore-backup', [backup], { env: { ANAMNESIS_HOME: join(home.folder, 'restored') } });
    const { notes } = await home.json(['list']);
    await ask('purge', [notes[0].id, '--dry-run']);
    await ask('purge', [notes[0].id, '--yes']);
    const cases = join(home.folder, 'cases.jsonl');
    writeFileSync(cases, `${JSON.stringify({ query: 'registry', relevant_ids: [notes[1].id, 'none'] })}\n`);
    await ask('eval run', ['--eval-set', cases]);
    await ask('eval build', ['--out', join(home.folder, 'built.jsonl')]);
    await ask('eval approve', ['1', '--eval-set', join(home.folder, 'built.jsonl')]);
    await ask('trace', ['--clear']);
    const bench = join(home.folder, 'bench');
    mkdirSync(bench);
    writeFileSync(join(bench, 'notes.jsonl'), '{"id":"x","title":"Registry","body":"needs the VPN"}\n');
    writeFileSync(join(bench, 'cases.jsonl'), '{"id":1,"query":"registry","relevant":["x"]}\n');
    await ask('eval bench', [bench]);
    await ask('eval prompts', [bench]);
  });

  it('fits its schema for setting up', async () => {
    await ask('config list');
    await ask('config set', ['recall_notes', '3']);
    await ask('config get', ['recall_notes']);
    await ask('config unset', ['recall_notes']);
    mkdirSync(join(home.work, '.anamnesis'));
    writeFileSync(join(home.work, '.anamnesis', 'project'), 'github.com/acme/payroll\n');
    writeFileSync(join(home.folder, 'made-up.bin'), gge1Of(madeUpParts()));
    await ask('model list');
    await ask('model install', [join(home.folder, 'made-up.bin')]);
    await ask('model use', ['made-up']);
    await ask('model index');
    await ask('model test');
    await ask('model list');
    await ask('model remove', ['made-up']);
    await ask('project show');
    await ask('project trust');
    await ask('project untrust');
    const scratch = { env: { ANAMNESIS_HOME: join(home.folder, 'scratch') } };
    await ask('init', ['--print'], scratch);
    await ask('init', ['--yes', '--client', 'codex'], scratch);
    await ask('uninstall', ['--print'], scratch);
    await ask('uninstall', ['--yes'], scratch);
    const doctor = await home.run(['doctor', '--json']);
    expect(answersOfCommands['doctor']?.safeParse(JSON.parse(doctor.stdout)).error).toBeUndefined();
    parsed.add('doctor');
  });

  it('was parsed for every subcommand', () => {
    expect(Object.keys(answersOfCommands).filter((name) => !parsed.has(name))).toEqual([]);
  });
});

describe('the answer of every tool', () => {
  it('fits its schema', async () => {
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(answersOfTools).sort());
    const server = await connect(serverArguments(), join(home.folder, 'served'));
    const call = async (name: keyof typeof answersOfTools, given: Record<string, unknown> = {}): Promise<Json> => {
      const answer = await server.ask(name, given);
      expect(answersOfTools[name].safeParse(answer).error, name).toBeUndefined();
      return answer;
    };
    try {
      await call('memory_status');
      const note = await call('memory_write', { type: 'semantic', title: 'VPN', body: 'The registry needs it.' });
      await call('memory_edit', { id: note.id, title: 'The VPN' });
      await call('memory_edit', { id: note.id, title: 'The VPN' });
      await call('memory_search', { query: 'registry' });
      await call('memory_list');
      await call('memory_get', { id: note.id });
      await call('memory_forget', { id: note.id });
      await call('memory_forget', { id: note.id });
      await call('memory_history', { id: note.id });
      await call('memory_sync');
      await call('memory_status');
    } finally {
      await server.close();
    }
  });
});
