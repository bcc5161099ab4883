import { describe, expect, it } from 'vitest';
import { markedLine } from '../../../src/cli/marked-line.js';
import { showWords } from '../../../src/projections/search/snippet.js';

const line = (body: string, words: readonly string[], width: number): string =>
  markedLine(showWords({ title: '', body, lists: [] }, words), width, (word) => `<${word}>`);

describe('a snippet on one line of a terminal', () => {
  it('highlights the words that were found', () => {
    expect(line('Deploys need the VPN', ['vpn', 'deploy'], 80)).toBe('<Deploys> need the <VPN>');
    expect(line('nothing of it', ['vpn'], 80)).toBe('nothing of it');
  });

  it('highlights them when white space was left out before them', () => {
    expect(line('- run it:\n\n    make   all\u200b\n\tmake', ['make'], 80)).toBe('- run it: <make> all <make>');
  });

  it('is cut to where most of them are', () => {
    const body = `The registry hangs ${'as it often does '.repeat(6)}until the VPN and the proxy are up again today`;
    expect(line(body, ['registry'], 40)).toBe('The <registry> hangs as it often does as…');
    expect(line(body, ['registry', 'vpn', 'proxy'], 40)).toBe('…does until the <VPN> and the <proxy> are u…');
  });

  it('never highlights a word in part, whatever its width', () => {
    const body = '数据库迁移失败的原因 deploy 数据库迁移失败的原因 deployments and deploys';
    for (let width = 8; width < 70; width += 1) {
      const plain = line(body, ['迁移', 'deploy'], width).replaceAll(/<(迁移|deploy(?:s|ments)?)>/g, '$1');
      expect(plain).not.toMatch(/[<>]/);
    }
  });
});
