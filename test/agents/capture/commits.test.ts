import { expect, it } from 'vitest';
import { commitsIn } from '../../../src/agents/capture/commits.js';

const madeAndShown = '[main 1234567] Use npm\n[main 6f035fd] Make it fast\n';

it.each([
  ['git commit -m x', '[main 6f035fd] Make it fast\n 1 file changed', [{ hash: '6f035fd', subject: 'Make it fast' }]],
  ['git add . && git commit -qm x', '[main (root-commit) 6f035fd] First', [{ hash: '6f035fd', subject: 'First' }]],
  ['git commit -qam "Make it fast\n\nIt was slow."', '', [{ hash: '', subject: 'Make it fast' }]],
  ["git commit -q -m 'It''s'", '', [{ hash: '', subject: 'It' }]],
  [
    'git commit -m "$(cat <<\'EOF\'\nMake it fast\n\nIt was slow.\nEOF\n)"',
    '',
    [{ hash: '', subject: 'Make it fast' }],
  ],
  ['git commit -m "x"', 'On branch main\nnothing to commit, working tree clean', []],
  ['git log --oneline', '[main 6f035fd] Make it fast', []],
  ['grep commit README.md', '', []],
  ['cat docs/git-commit-style.md', '[main 6f035fd] Make it fast', []],
  ['git log -- commit', '[main 6f035fd] Make it fast', []],
  ['git commit-graph write', '[main 6f035fd] Make it fast', []],
  ['cat docs/style.md && git commit -m "Make it fast"', madeAndShown, [{ hash: '6f035fd', subject: 'Make it fast' }]],
  ['git commit -m "Make it fast"; cat docs/style.md', madeAndShown, [{ hash: '6f035fd', subject: 'Make it fast' }]],
  ['git commit -qm "Make it fast" && cat docs/style.md', '[main 1234567] Not', [{ hash: '', subject: 'Make it fast' }]],
  [
    'GIT_AUTHOR_DATE=now git -C "my shop" -c user.name=a --no-pager commit -m x',
    '[main 6f035fd] x',
    [{ hash: '6f035fd', subject: 'x' }],
  ],
  [
    "# don't wait\ngit add . ;git commit -m 'x'",
    '[main 6f035fd] [SHOP-1] x',
    [{ hash: '6f035fd', subject: '[SHOP-1] x' }],
  ],
  [
    'for one in a b; do git commit -m "Part $one"; done',
    '[main 6f035fd] Part a\n[main 6f035fe] Part b',
    [
      { hash: '6f035fd', subject: 'Part a' },
      { hash: '6f035fe', subject: 'Part b' },
    ],
  ],
])('reads the commits that %s made', (command, output, expected) => {
  expect(commitsIn(command, output)).toEqual(expected);
});
