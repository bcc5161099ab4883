/**
 * npm start: the main job on real input, step by step, with the commands that a person would type. The store is in
 * .demo/, and nothing outside this folder is touched (except npm's cache, if packages have to be installed).
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root, say } from './setup.mjs';

await ensureBuilt();

const home = join(root, '.demo', 'store');
const cli = join(root, 'dist', 'cli.js');
// The demo reads none of your files.
const env = {
  ...process.env,
  ANAMNESIS_HOME: home,
  ANAMNESIS_MACHINE_ID: 'demo',
  ANAMNESIS_IMPORT_NATIVE: '0',
  CLAUDE_CONFIG_DIR: join(root, '.demo', 'claude'),
};
const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[0m` : text);
const faint = (text) => (colour ? `\u001b[2m${text}\u001b[0m` : text);

const title = (text) => process.stdout.write(`\n${bold(text)}\n`);
const shellQuote = (arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`);

/** Runs a command, shows it, and returns its output. */
const anamnesis = (args, { quiet = false, input } = {}) => {
  if (!quiet) process.stdout.write(faint(`$ anamnesis ${args.map(shellQuote).join(' ')}\n`));
  const show = quiet ? 'pipe' : 'inherit';
  const result = spawnSync(process.execPath, [cli, ...args], {
    cwd: root,
    env,
    input,
    encoding: 'utf8',
    stdio: ['pipe', show, 'inherit'],
  });
  if (result.status !== 0) {
    say(`anamnesis ${args.join(' ')} ended with ${result.status}`);
    process.exit(result.status ?? 1);
  }
  return result.stdout ?? '';
};
const json = (args, options) => JSON.parse(anamnesis([...args, '--json'], { quiet: true, ...options }));

rmSync(join(root, '.demo'), { recursive: true, force: true });

title('1. Make a store and import the sample notes: one event, one commit');
anamnesis(['init-store']);
anamnesis(['import', 'examples/notes.jsonl']);

title('2. Record notes, and let one supersede another');
const project = ['--project', 'github.com/harbor/payments-api'];
const first = json(
  ['write', '--type', 'semantic', '--title', 'Refund webhooks time out after 10 s', '--tag', 'webhooks', ...project],
  {
    input:
      'The provider gives up after 10 s and sends the refund webhook again, so the handler must answer before it works.\n',
  },
);
process.stdout.write(`${faint('$ anamnesis write …')}\nrecorded ${first.id}  ${first.title}\n`);
anamnesis([
  'write',
  '--title',
  'Refund webhooks time out after 30 s',
  '--supersedes',
  first.id,
  '--tag',
  'webhooks',
  ...project,
  '--body',
  'Since the May contract the provider waits 30 s; the handler still answers first and works afterwards.',
]);
anamnesis(['search', 'how long does the provider wait for the refund webhook', ...project, '-k', '3']);

title('3. Edit a note by hand, like any text file, and have the edit adopted');
const sample = json(['list', ...project, '-n', '1', '--type', 'procedural']).notes[0];
const file = json(['show', sample.id]).path;
writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n\nChecked again by hand during the demo.\n`);
process.stdout.write(faint(`$ echo 'Checked again by hand during the demo.' >> ${file.slice(root.length + 1)}\n`));
anamnesis(['adopt']);
anamnesis(['history', sample.id]);

title('4. Throw the index away and replay it from the journal, with one worker and with two');
const one = json(['replay', '--workers', '1']);
const two = json(['replay', '--workers', '2']);
for (const { workers, notes, ms, digest } of [one, two]) {
  process.stdout.write(
    `${workers} worker${workers === 1 ? ' ' : 's'}  ${notes} notes in ${ms} ms  digest ${digest.slice(0, 24)}…\n`,
  );
}
if (one.digest !== two.digest) {
  say('the digests differ, which must never happen: please report it');
  process.exit(70);
}
process.stdout.write('The digests agree.\n');

title('5. Search with other words than those in the note');
anamnesis(['search', 'why did two phones disagree about which edit came last', '-k', '3']);

title('6. Play an agent session through its hooks: it is given notes, and leaves one');
const agent = join(root, '.demo', 'agent');
const folder = join(agent, 'payments-api');
mkdirSync(folder, { recursive: true });
for (const gitArgs of [
  ['init', '-q'],
  ['remote', 'add', 'origin', 'git@github.com:harbor/payments-api.git'],
])
  spawnSync('git', ['-C', folder, ...gitArgs]);
const transcript = join(agent, 'session.jsonl');
const session = '5e551011-0000-4000-8000-000000000001';
/** Runs a hook with its payload on standard input and shows the beginning of the text that the agent is given. */
const hook = (event, fields, mostLines) => {
  process.stdout.write(faint(`$ anamnesis hook ${event} < payload.json\n`));
  const payload = { session_id: session, transcript_path: transcript, cwd: folder, hook_event_name: event, ...fields };
  const printed = anamnesis(['hook', event], { quiet: true, input: JSON.stringify(payload) });
  if (printed === '') return;
  const lines = JSON.parse(printed).hookSpecificOutput.additionalContext.trim().split('\n');
  for (const line of lines.slice(0, mostLines)) process.stdout.write(`  | ${line}\n`);
  if (lines.length > mostLines) process.stdout.write(faint(`  | and ${lines.length - mostLines} more lines\n`));
};
const said = (role, content, at) =>
  appendFileSync(
    transcript,
    `${JSON.stringify({
      type: role,
      uuid: `5e551011-0000-4000-8000-00000000010${at}`,
      sessionId: session,
      cwd: folder,
      gitBranch: 'main',
      timestamp: `2026-11-21T09:0${at}:00Z`,
      message: { role, content },
    })}\n`,
  );
const prompt =
  'When do outgoing webhooks give up after failed attempts? One was dead after a day. Never send a refund twice.';
hook('SessionStart', { source: 'startup' }, 8);
hook('UserPromptSubmit', { prompt }, 8);
said('user', prompt, 1);
said('assistant', [{ type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: join(folder, 'webhooks.ts') } }], 2);
said('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'edited' }], 3);
said(
  'assistant',
  [
    {
      type: 'text',
      text: 'After eight attempts over 27 hours. The log now says which attempt it was; refunds go by their delivery id.',
    },
  ],
  4,
);
hook('Stop', { last_assistant_message: 'After eight attempts over 27 hours.' }, 0);
hook('SessionEnd', { reason: 'other' }, 0);
// SessionEnd has started the background worker; once `work` finds nothing to do, that worker is done.
while (json(['work']).busy) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
anamnesis(['list', '--tag', 'session', '--project', 'github.com/harbor/payments-api']);
anamnesis(['list', '--tag', 'learned']);

title('7. Measure recall on the sample cases (examples/cases.jsonl)');
anamnesis(['eval', 'run', '--eval-set', 'examples/cases.jsonl']);

title('What to type next');
process.stdout.write(`The demo store stays in .demo/ until the next npm start. To look around in it:

  export ANAMNESIS_HOME=.demo/store
  node dist/cli.js search 'terraform state lock'
  node dist/cli.js log

To keep a memory of your own (in ~/.anamnesis), install the package and set up your agent:

  npm pack && npm install -g --allow-scripts=better-sqlite3 ./anamnesis-*.tgz
  anamnesis init
  anamnesis write 'What I learned' --body 'and why'
  anamnesis --help
`);
