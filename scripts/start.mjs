/**
 * npm start: the main job on real input, step by step, with the commands that a person would type. The store stands in
 * .demo/ and nothing outside this folder is touched (but npm's cache, when packages have to be installed).
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root, say } from './setup.mjs';

await ensureBuilt();

const home = join(root, '.demo', 'store');
const cli = join(root, 'dist', 'cli.js');
const env = { ...process.env, ANAMNESIS_HOME: home, ANAMNESIS_MACHINE_ID: 'demo' };
const colour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[0m` : text);
const faint = (text) => (colour ? `\u001b[2m${text}\u001b[0m` : text);

const title = (text) => process.stdout.write(`\n${bold(text)}\n`);
const shellQuote = (arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`);

/** Runs a command, shows it, and answers what it printed. */
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

title('1. Make a store and take in the sample notes: one event, one commit');
anamnesis(['init-store']);
anamnesis(['import', 'examples/notes.jsonl']);

title('2. Record notes, and let one take the place of another');
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

title('3. Edit a note by hand, as any text file, and have the edit adopted');
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

title('5. Ask in other words than the note has');
anamnesis(['search', 'why did two phones disagree about which edit came last', '-k', '3']);

title('6. Measure recall on the sample cases (examples/cases.jsonl)');
anamnesis(['eval', 'run', '--eval-set', 'examples/cases.jsonl']);

title('What to type next');
process.stdout.write(`The demo store stays in .demo/ until the next npm start. To look around in it:

  export ANAMNESIS_HOME=.demo/store
  node dist/cli.js search 'terraform state lock'
  node dist/cli.js log

To keep a memory of your own (in ~/.anamnesis), install the package and use it:

  npm pack && npm install -g ./anamnesis-*.tgz
  anamnesis write 'What I learned' --body 'and why'
  anamnesis --help
`);
