import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadGroups } from '../../../src/cli/groups.js';
import { makeProgram } from '../../../src/cli/run.js';
import { formatBash, formatFish, formatZsh } from '../../../src/cli/setup/completion-scripts.js';
import { describeTree } from '../../../src/cli/setup/completion-tree.js';
import { hasProgram, openHome } from '../support.js';

const tree = describeTree(makeProgram(await loadGroups(undefined)));

/** Returns the words that bash offers for each line, whose last word is unfinished. One process answers all of them. */
const offered = (questions: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const script = questions.map((words) => {
    const quoted = ['anamnesis', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _anamnesis; echo "\${COMPREPLY[*]}"`;
  });
  const ran = spawnSync('bash', ['--norc', '-c', `${formatBash(tree)}\n${script.join('\n')}`], {
    encoding: 'utf8',
    cwd: 'test',
  });
  expect(ran.stderr).toBe('');
  return ran.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter((word) => word !== ''));
};

describe.skipIf(!hasProgram('bash'))('completion in bash (skipped where bash is missing)', () => {
  it('offers subcommands, options and values', () => {
    const [top, re, flags, types, kinds, evals, runs, shells, texts, late] = offered([
      [''],
      ['re'],
      ['write', '--t'],
      ['write', '--type', ''],
      ['log', '--kind', 'note.f'],
      ['eval', ''],
      ['eval', 'run', '--inc'],
      ['completion', ''],
      ['write', '--title', ''],
      ['search', 'words', '--type', 'semantic', '--sc'],
    ]);
    expect(top).toEqual(expect.arrayContaining(['write', 'search', 'init-store', 'eval', 'completion']));
    expect(re?.toSorted()).toEqual([
      'recall',
      'reindex',
      'remember',
      'remote',
      'replay',
      'resolve',
      'restore',
      'restore-backup',
      'review',
    ]);
    expect(flags?.toSorted()).toEqual(['--tag', '--title', '--type']);
    expect(types).toEqual(['procedural', 'semantic', 'episodic']);
    expect(kinds).toEqual(['note.forgotten']);
    expect(evals).toEqual(['run', 'bench', 'prompts', 'build', 'approve']);
    expect(runs).toEqual(['--include-unreviewed']);
    expect(shells).toEqual(['bash', 'zsh', 'fish']);
    expect(texts).toEqual([]);
    expect(late).toEqual(['--scope']);
  });
  it('offers files for an argument that is a file', () => {
    expect(
      offered([
        ['import', 'comm'],
        ['write', '--body-file', 'even'],
      ]),
    ).toEqual([['commands'], ['events']]);
  });
});

it.skipIf(!hasProgram('zsh'))('completion in zsh is a script that zsh can read (skipped where zsh is missing)', () => {
  const ran = spawnSync('zsh', ['-n'], { input: formatZsh(tree), encoding: 'utf8' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
});

it.skipIf(!hasProgram('fish'))(
  'completion in fish is a script that fish can read (skipped where fish is missing)',
  () => {
    const ran = spawnSync('fish', ['--no-execute'], { input: formatFish(tree), encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([0, '']);
  },
);

it('every script names every subcommand, and options with their values', () => {
  const scripts = [formatBash(tree), formatZsh(tree), formatFish(tree)];
  for (const script of scripts) {
    for (const { path } of tree) for (const word of path) expect(script).toContain(word);
    expect(script).toContain('body-file');
    expect(script).toContain('machine-local');
  }
});

it('completion prints the script of a shell', async () => {
  const home = openHome();
  try {
    expect(await home.run(['completion', 'bash'])).toEqual({ code: 0, stdout: formatBash(tree), stderr: '' });
  } finally {
    home.remove();
  }
});
