import { expect, it } from 'vitest';
import { commitsIn } from '../../../src/agents/capture/commits.js';

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
])('reads what %s made', (command, output, expected) => {
  expect(commitsIn(command, output)).toEqual(expected);
});
