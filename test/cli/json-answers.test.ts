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
const ask = (path: string, args: readonly string[] = [], options: RunOptions & { code?: number } = {}): Json => {
  const answer = home.json([...path.split(' '), ...args], options);
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

  it('fits its schema before there is a store', () => {
    for (const name of ['list', 'log', 'stats', 'fleet', 'conflicts', 'compact', 'status', 'recall x', 'search x']) {
      const [path = '', ...args] = name.split(' ');
      ask(path, args);
    }
    ask('review list');
    ask('remote show');
    expect(Failed.safeParse(home.json(['show', 'ZZZZ'], { code: 1 })).error).toBeUndefined();
  });

  it('fits its schema for notes and their history', async () => {
    ask('init-store');
    const secret = `token=ghp_${'a1B2'.repeat(9)}`;
    const vpn = ask('write', ['Deploys need the VPN', '--body', `The registry needs it. ${secret}`, '--tag', 'deploy']);
    const wal = ask('write', ['Use WAL mode', '--body', 'x', '--importance', '0.5', '--expires', '2099-01-01']);
    const old = ask('write', ['Old', '--body', 'old', '--scope', 'machine-local', '--keyword', 'k']);
    const newer = ask('write', ['Newer', '--body', 'new', '--supersedes', old.id]);
    ask('supersede', [wal.id, '--by', newer.id]);
    ask('edit', [vpn.id, '--title', 'Deploys need it']);
    ask('tag', [vpn.id, 'net']);
    ask('untag', [vpn.id, 'net']);
    ask('move', [vpn.id, '--project', 'other']);
    ask('undo');
    ask('move', [vpn.id, '--project', 'other']);
    ask('forget', [wal.id, '--reason', 'gone']);
    ask('forget', [old.id, newer.id]);
    ask('restore', [newer.id]);
    ask('restore', [vpn.id, '--at', 'HEAD']);
    ask('show', [vpn.id]);
    ask('show', [vpn.id, '--at', 'HEAD']);
    ask('list');
    ask('projects');
    ask('tags');
    ask('search', ['VPN']);
    ask('search', ['VPN', '--at', 'HEAD']);
    ask('search', ['"the VPN" -registry', '--explain']);
    ask('search', ['VPN', '--mode', 'exact']);
    ask('similar', [vpn.id]);
    ask('recall', ['why does the registry need the VPN']);
    ask('inject');
    ask('log');
    ask('history', [vpn.id]);
    ask('stats', ['--by', 'project']);
    ask('diff', ['HEAD~2', '--text']);
    appendFileSync(home.json(['show', newer.id]).path, 'by hand\n');
    ask('status');
    ask('adopt');

    const store = openStore({ home: home.store });
    const first = await writeNote(store.memory, { title: 'Older' });
    const [one, two] = [{ title: 'One' }, { title: 'Two' }];
    const accepted = await writeNote(store.memory, { ...one, proposes: [first.id] });
    const rejected = await writeNote(store.memory, { ...two, proposes: [first.id] });
    await store.close();
    ask('review list');
    ask('review reject', [rejected.id]);
    ask('review accept', [accepted.id]);
    ask('review accept', [accepted.id]);
  });

  it('fits its schema for imports and captures', () => {
    writeFileSync(join(home.folder, 'n.jsonl'), '{"id":"x","title":"Imported","body":"text"}\nbad\n');
    ask('import', [join(home.folder, 'n.jsonl'), '--project', 'p', '--dry-run']);
    ask('import', [join(home.folder, 'n.jsonl'), '--project', 'p']);
    ask('capture', ['--transcript', putTranscript(typicalTranscript({ cwd: home.work }))]);
    ask('capture', ['--transcript', putTranscript('{}\n', 'trivial.jsonl')]);
    ask('work');
  });

  it('fits its schema for other machines and their conflicts', () => {
    const remote = join(home.folder, 'remote.git');
    execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', remote]);
    const other = { env: { ANAMNESIS_HOME: join(home.folder, 'other'), ANAMNESIS_MACHINE_ID: 'other' } };
    ask('sync');
    ask('remote set', [remote]);
    const { id } = ask('write', ['Ports', '--body', 'The API is on 8080.']);
    ask('sync');
    ask('remote set', [remote], other);
    ask('sync', [], other);
    ask('edit', [id, '--title', 'Ports now', '--body', 'The API is on 9090.']);
    ask('edit', [id, '--title', 'Ports soon', '--body', 'The API is on 7070.'], other);
    ask('sync');
    ask('sync', [], other);
    const { conflicts } = ask('conflicts', [], other);
    expect(conflicts).toHaveLength(1);
    expect(ask('conflicts', ['--lost'], other).lost).not.toEqual([]);
    ask('resolve', [conflicts[0].id, '--theirs'], other);
    ask('resolve', [conflicts[0].id, '--theirs'], other);
    ask('fleet', [], other);
    ask('remote show');
    ask('remote set', [join(home.folder, 'gone.git')], other);
    ask('sync', [], { ...other, code: 1 });
    ask('remote show', [], other);
    ask('status', [], other);
    ask('remote remove');
  });

  it('fits its schema for the whole store and for eval', () => {
    ask('trace');
    ask('trace', ['none']);
    ask('verify');
    ask('replay');
    ask('replay', ['--verify']);
    ask('replay', ['--at', 'HEAD']);
    ask('compact', ['--full']);
    const backup = join(home.folder, 'b.tar');
    ask('backup', [backup]);
    ask('restore-backup', [backup], { env: { ANAMNESIS_HOME: join(home.folder, 'restored') } });
    const { notes } = home.json(['list']);
    ask('purge', [notes[0].id, '--dry-run']);
    ask('purge', [notes[0].id, '--yes']);
    const cases = join(home.folder, 'cases.jsonl');
    writeFileSync(cases, `${JSON.stringify({ query: 'registry', relevant_ids: [notes[1].id, 'none'] })}\n`);
    const saved = join(home.folder, 'run.json');
    ask('eval run', ['--eval-set', cases, '--save', saved]);
    ask('eval compare', [saved, saved]);
    ask('eval build', ['--out', join(home.folder, 'built.jsonl')]);
    ask('eval approve', ['1', '--eval-set', join(home.folder, 'built.jsonl')]);
    ask('trace', ['--clear']);
    const bench = join(home.folder, 'bench');
    mkdirSync(bench);
    writeFileSync(join(bench, 'notes.jsonl'), '{"id":"x","title":"Registry","body":"needs the VPN"}\n');
    writeFileSync(join(bench, 'cases.jsonl'), '{"id":1,"query":"registry","relevant":["x"]}\n');
    ask('eval bench', [bench]);
    ask('eval prompts', [bench]);
  });

  it('fits its schema for setting up', () => {
    ask('config list');
    ask('config set', ['recall_notes', '3']);
    ask('config get', ['recall_notes']);
    ask('config unset', ['recall_notes']);
    mkdirSync(join(home.work, '.anamnesis'));
    writeFileSync(join(home.work, '.anamnesis', 'project'), 'github.com/acme/payroll\n');
    writeFileSync(join(home.folder, 'made-up.bin'), gge1Of(madeUpParts()));
    ask('model list');
    ask('model install', [join(home.folder, 'made-up.bin')]);
    ask('model use', ['made-up']);
    ask('model index');
    ask('model test');
    ask('model list');
    ask('model remove', ['made-up']);
    ask('project show');
    ask('project trust');
    ask('project untrust');
    const scratch = { env: { ANAMNESIS_HOME: join(home.folder, 'scratch') } };
    ask('init', ['--print'], scratch);
    ask('init', ['--yes', '--client', 'codex'], scratch);
    ask('uninstall', ['--print'], scratch);
    ask('uninstall', ['--yes'], scratch);
    const doctor = home.run(['doctor', '--json']);
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
