/**
 * node scripts/record-demo.mjs: runs the built program on two machines in an empty folder, and writes its output as
 * docs/demo.svg, the picture in the README. Nothing of yours is read, and no agent or network is needed.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, root, say } from './setup.mjs';

const maxColumns = 92;
const fontSize = 14;
const charWidth = 8.43;
const lineHeight = 20;
const padding = 20;
const barHeight = 34;

await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'anamnesis-record-'));
const project = join(folder, 'shop');
const remote = join(folder, 'memory.git');

const environmentOf = (machine) => ({
  PATH: process.env.PATH,
  HOME: join(folder, machine),
  ANAMNESIS_HOME: join(folder, machine, '.anamnesis'),
  ANAMNESIS_MACHINE_ID: machine,
  ANAMNESIS_GIT_REMOTE: remote,
  FORCE_COLOR: '1',
});

const run = (program, args, options = {}) => {
  const result = spawnSync(program, args, { cwd: project, encoding: 'utf8', ...options });
  if (result.status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${result.stderr}`);
  return result.stdout;
};

const lines = [];

/** Runs one command on a machine, records what was typed and returns the printed lines. */
const type = (machine, typed, args, input = '') => {
  const printed = run(process.execPath, [join(root, 'dist', 'cli.js'), ...args], {
    env: environmentOf(machine),
    input,
  });
  typed.split('\n').forEach((line, at) => {
    lines.push(at === 0 ? [span('host', `${machine} $ `), span('typed', line)] : [span('typed', line)]);
  });
  return printed.trimEnd().split('\n');
};

const show = (printed) => {
  for (const line of printed) lines.push(spansOf(line));
  lines.push([]);
};

const remark = (text) => lines.push([span('remark', `# ${text}`)]);

const span = (style, text) => ({ style, text });

const styles = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };

/** One printed line, cut to the picture's width, as pieces of one style each. */
const spansOf = (line) => {
  const pieces = [];
  let [style, room] = ['plain', maxColumns];
  // The odd parts are the numbers of colour codes.
  for (const [at, part] of line.split(/\u001b\[(\d+)m/).entries()) {
    if (at % 2 === 1) {
      style = styles[part] ?? 'plain';
      continue;
    }
    const text = part.length > room ? `${part.slice(0, room - 1)}…` : part;
    if (text !== '' && room > 0) pieces.push(span(style, text));
    room -= part.length;
  }
  return pieces;
};

try {
  mkdirSync(project);
  for (const machine of ['laptop', 'desktop']) mkdirSync(join(folder, machine));
  run('git', ['init', '--quiet']);
  run('git', ['remote', 'add', 'origin', 'git@github.com:acme/shop.git']);
  run('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);

  const body = 'Without it the image registry is unreachable: `make deploy` hangs at "pulling".';
  remark('You or your agent write down what took an hour to find out. One note, one git commit.');
  show(
    type('laptop', `anamnesis write 'Deploys need the VPN' --tag deploy \\\n    --body '${body}'`, [
      'write',
      'Deploys need the VPN',
      '--tag',
      'deploy',
      '--body',
      body,
    ]),
  );
  show(type('laptop', 'anamnesis sync', ['sync']).map((line) => line.replace(remote, 'box:memory.git')));

  remark('On another machine, this is what your agent is given together with your prompt.');
  show(type('desktop', 'anamnesis sync', ['sync']).map((line) => line.replace(remote, 'box:memory.git')));
  const payload = {
    session_id: '5e551011-0000-4000-8000-000000000001',
    cwd: project,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Why does make deploy hang at pulling the image?',
  };
  const prompt = `echo '{"prompt": "${payload.prompt}", …}' |\n    anamnesis hook UserPromptSubmit`;
  const [answer] = type('desktop', prompt, ['hook', 'UserPromptSubmit'], JSON.stringify(payload));
  show(JSON.parse(answer).hookSpecificOutput.additionalContext.trim().split('\n'));
  remark('Every change is in the log, and can be undone.');
  show(type('desktop', 'anamnesis log', ['log']));
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
while (lines.at(-1)?.length === 0) lines.pop();
const lengthOf = (pieces) => pieces.reduce((sum, { text }) => sum + text.length, 0);
for (const pieces of lines) {
  if (lengthOf(pieces) > maxColumns) throw new Error(`too long: ${pieces.map(({ text }) => text).join('')}`);
}

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const width = Math.ceil(maxColumns * charWidth) + 2 * padding;
const height = barHeight + lines.length * lineHeight + padding;
const texts = lines.map((pieces, at) => {
  const y = barHeight + (at + 1) * lineHeight - 5;
  const spans = pieces.map(({ style, text }) => `<tspan class="${style}">${escapeXml(text)}</tspan>`).join('');
  return spans === '' ? '' : `<text x="${padding}" y="${y}">${spans}</text>\n`;
});
// Its own background makes the picture readable on light and on dark pages.
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xml:space="preserve" role="img" aria-label="A terminal session with Anamnesis">
<style>
text { font: ${fontSize}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre; fill: #d7dae0 }
.host { fill: #7f8896 } .typed { fill: #ffffff; font-weight: 600 } .remark { fill: #9aa4b2; font-style: italic }
.bold { font-weight: 600 } .dim { fill: #8b94a3 } .red { fill: #ff7b72 } .green { fill: #7ee787 } .yellow { fill: #e3b341 } .cyan { fill: #79c0ff }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
<circle cx="20" cy="17" r="5" fill="#ff5f57"/><circle cx="38" cy="17" r="5" fill="#febc2e"/><circle cx="56" cy="17" r="5" fill="#28c840"/>
${texts.join('')}</svg>
`;
writeFileSync(join(root, 'docs', 'demo.svg'), svg);
say(`docs/demo.svg: ${lines.length} lines, ${Buffer.byteLength(svg)} bytes`);
