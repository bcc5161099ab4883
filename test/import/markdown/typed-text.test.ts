import { describe, expect, it } from 'vitest';
import { readTypedText } from '../../../src/import/markdown/typed-text.js';

const split = (text: string): readonly [string, string] => {
  const { title, body } = readTypedText(text);
  return [title, body];
};

describe('the title of a typed text', () => {
  it.each([
    ['Plain title\n\nbody\n', 'Plain title', 'body\n'],
    ['\n\n  Plain title  \nbody', 'Plain title', 'body'],
    ['# Release steps\n\nTag, then build.\n', 'Release steps', 'Tag, then build.\n'],
    ['### Sub ###\nbody', 'Sub', 'body'],
    ['Title\n=====\n\nbody', 'Title', 'body'],
    ['A title alone', 'A title alone', ''],
    ['#\n\n# \nAfter empty headings', 'After empty headings', ''],
    ['---\n\nBelow a rule\nbody', 'Below a rule', 'body'],
    ['* * *\nBelow stars\nbody', 'Below stars', 'body'],
    ['Windows\r\nbody\r\n', 'Windows', 'body\r\n'],
    ['#hashtag first\nbody', '#hashtag first', 'body'],
  ])('of %j is its first line with words', (text, title, body) => {
    expect(split(text)).toEqual([title, body]);
  });
  it.each(['', '---', '\n \n', '---\n***\n', '```\n```'])('of %j is empty', (text) => {
    expect(split(text)[0]).toBe('');
  });
  it('is the beginning of a line that is too long, which stays in the text', () => {
    const words = 'word '.repeat(60).trim();
    expect(split(words)).toEqual([`${'word '.repeat(23).trim()}…`, words]);
    const japanese = '決定事項の記録'.repeat(52);
    expect(split(japanese)).toEqual([`${[...japanese].slice(0, 119).join('')}…`, japanese]);
    const lateSpace = `a ${'決'.repeat(360)}`;
    expect([...split(lateSpace)[0]]).toHaveLength(120);
  });
  it('is a whole heading, however long a title may be', () => {
    const long = 'word '.repeat(50).trim();
    expect(split(`# ${long}\nbody`)).toEqual([long, 'body']);
  });
  it('is the first line of a block of code, which stays whole', () => {
    const text = '```sh\nnpm run build\n```\n';
    expect(split(text)).toEqual(['npm run build', text]);
  });
});

describe('front matter of a typed text', () => {
  it('provides title, tags, keywords and type', () => {
    const text = '---\ntitle: fm\ntags: [deploy, "#net"]\nkeywords: vpn\ntype: procedural\n---\n\nbody\n';
    expect(readTypedText(text)).toEqual({
      title: 'fm',
      body: 'body\n',
      tags: ['deploy', 'net'],
      keywords: ['vpn'],
      type: 'procedural',
      leftOut: [],
    });
  });
  it('without a title leaves it to the text', () => {
    expect(readTypedText('---\ntags: a\n---\n# Heading\nbody')).toMatchObject({
      title: 'Heading',
      body: 'body',
      tags: ['a'],
    });
  });
  it('is reported as left out where a note has no place for it', () => {
    expect(readTypedText('---\ntitle: fm\nAuthor: me\ntype: recipe\n---\nbody').leftOut).toEqual(['author', 'type']);
    const token = `ghp_${'Zr8Kq2mVx5Lw9TbN4cYh7Jd3Gf6Ps1Xu0EaR'}`;
    expect(readTypedText(`---\ntitle: fm\n${token}: x\n---\nbody`).leftOut).toEqual(['[REDACTED:github-token]']);
  });
  it('is a rule when it contains no keys, and never a title', () => {
    expect(split('---\nHello there\n---\nbody')).toEqual(['Hello there', 'body']);
    expect(split('---\nnever: closed\nbody')).toEqual(['never: closed', 'body']);
  });
  it('that is broken yields what can be read, and stays above the text', () => {
    const text = '---\ntitle: a: b: c\ntags: [x]\n---\nbody';
    expect(readTypedText(text)).toMatchObject({
      title: 'a: b: c',
      body: text,
      tags: ['x'],
    });
  });
});

it('uses a list item without its marker as the title, and keeps the list whole', () => {
  const list = '- bullet first\n- and another\n';
  expect(readTypedText(list)).toMatchObject({ title: 'bullet first', body: list });
  expect(readTypedText('1. [x] call them\n')).toMatchObject({ title: 'call them' });
});
