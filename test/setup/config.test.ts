import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planConfig, writeConfig } from '../../src/config/config-file.js';
import { configKeys, configNames } from '../../src/config/config-keys.js';
import { listConfig, parseConfigValue } from '../../src/config/config-values.js';
import { readConfig, readSettings } from '../../src/config/settings.js';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'anamnesis-config-'));
  file = join(home, 'config.json');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const set = (name: string, text: string): void => {
  const parsed = parseConfigValue(name, text);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  expect(writeConfig(home, [{ key: parsed.key, value: parsed.value }])).not.toHaveProperty('code');
};
const rowOf = (key: string, environment: NodeJS.ProcessEnv = {}) =>
  listConfig(home, environment).find((row) => row.key === key);

describe('config.json', () => {
  it('keeps unknown keys, their order and its formatting', () => {
    writeFileSync(file, '{\n    "zeta": 1.0,\n    "inject_notes": 3,\n    "alpha": []\n}');
    set('inject_notes', '12');
    set('learn', 'off');
    set('learn_judges', 'claude, ollama');
    const text = readFileSync(file, 'utf8');
    expect(text).toBe(
      '{\n    "zeta": 1.0,\n    "inject_notes": 12,\n    "alpha": [],\n    "learn": false,\n    "learn_judges": [\n        "claude",\n        "ollama"\n    ]\n}',
    );
    for (const key of ['learn', 'learn_judges', 'inject_notes'] as const)
      writeConfig(home, [{ key, value: undefined }]);
    expect(readFileSync(file, 'utf8')).toBe('{\n    "zeta": 1.0,\n    "alpha": []\n}');
  });
  it('becomes accessible to its owner only, even if it was not', () => {
    writeFileSync(file, '{}', { mode: 0o644 });
    set('recall', 'no');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
  it('is written to the file that a link points to', () => {
    writeFileSync(join(home, 'elsewhere.json'), '{}');
    symlinkSync('elsewhere.json', file);
    set('recall', 'no');
    expect(JSON.parse(readFileSync(join(home, 'elsewhere.json'), 'utf8'))).toEqual({ recall: false });
  });
  it('is not written if nothing changes', () => {
    set('recall', 'no');
    const { mtimeMs } = statSync(file);
    expect(writeConfig(home, [{ key: 'recall', value: false }])).toMatchObject({ changes: [] });
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });
  it.each(['{"recall": true', '[]', '"text"', 'null'])('is left alone when it is %j', (text) => {
    writeFileSync(file, text);
    expect(writeConfig(home, [{ key: 'recall', value: false }])).toMatchObject({
      code: expect.stringMatching(/^file-/),
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
  it('is shown with masked secrets in a plan', () => {
    const plan = planConfig(home, [
      { key: 'provider_key', value: 'abc' },
      { key: 'remote', value: 'https://pat:hunter2xyz@example.com/m.git' },
      { key: 'recall', value: undefined },
    ]);
    expect(JSON.stringify(Object(plan).shown)).not.toMatch(/abc|hunter2xyz/);
    expect(Object(plan).shown.map(({ key }: { key: string }) => key)).toEqual(['provider_key', 'remote']);
  });
});

describe('values', () => {
  it.each([
    ['provider-url', 'x', /did you mean provider_url\?/],
    ['__proto__', 'x', /there is no setting "__proto__"/],
    ['', 'x', /there is no setting ""/],
    ['recall_notes', '6', /recall_notes must be a whole number from 1 to 5; given: "6"/],
    ['recall_notes', '1.5', /whole number/],
    ['recall_notes', '-1', /whole number/],
    ['recall', 'maybe', /recall must be true or false/],
    ['learn_judges', 'claude,gpt', /a comma-separated list of: endpoint, claude, ollama/],
    ['provider_url', 'ftp://x', /an http or https address/],
    ['provider_url', 'api.example.com', /an http or https address/],
    ['machine_id', 'ü', /1 to 64 letters/],
    ['machine_id', '../up', /1 to 64 letters/],
    ['user_id', '  ', /one line of text/],
    ['user_id', 'a\nb', /one line of text/],
    ['user_id', 'x'.repeat(5000), /one line of text/],
    ['remote', '--upload-pack=x', /does not begin with a hyphen/],
  ])('of %s cannot be %j', (name, text, message) => {
    expect(parseConfigValue(name, text)).toMatchObject({
      ok: false,
      refusal: { message: expect.stringMatching(message) },
    });
  });
  it('of secrets are not repeated when they are refused', () => {
    expect(JSON.stringify(parseConfigValue('provider_key', 'hush\nhush'))).not.toContain('hush');
  });
  it('come from the environment, then from config.json, then from the default', () => {
    expect(rowOf('provider_model')).toMatchObject({ value: 'gpt-4o-mini', source: 'default' });
    writeFileSync(file, '{"provider_model": "from file"}');
    expect(rowOf('provider_model')).toMatchObject({ value: 'from file', source: 'config.json' });
    const environment = { ANAMNESIS_PROVIDER_MODEL: 'from env' };
    expect(rowOf('provider_model', environment)).toMatchObject({ value: 'from env', source: 'environment' });
    expect(rowOf('machine_id')).toMatchObject({
      value: readSettings({ ANAMNESIS_HOME: home }).machine,
      source: 'default',
    });
  });
  it('that are invalid are reported and count as not set', () => {
    writeFileSync(file, '{"inject_notes": "many", "machine_id": "no good", "remote": "-x"}');
    expect(rowOf('inject_notes')).toMatchObject({ value: 8, source: 'default', ignored: 'config.json' });
    expect(rowOf('machine_id')).toMatchObject({ value: 'unknown', ignored: 'config.json' });
    expect(rowOf('import_native', { ANAMNESIS_IMPORT_NATIVE: 'x' })).toMatchObject({
      value: true,
      ignored: 'environment',
    });
    expect(readConfig(home, {}).remote).toBeUndefined();
  });
  it('never reveal a secret', () => {
    writeFileSync(file, '{"provider_key": "hush-hush"}');
    expect(JSON.stringify(listConfig(home, {}))).not.toContain('hush-hush');
    expect(JSON.stringify(listConfig(home, { ANAMNESIS_PROVIDER_KEY: 'hush-env' }))).not.toContain('hush-env');
  });
  it('have a row each, with the default that readConfig uses', () => {
    expect(listConfig(home, {}).map(({ key }) => key)).toEqual(configNames);
    const config = readConfig(home, {});
    expect(rowOf('inject_notes')?.value).toBe(config.injectNotes);
    expect(rowOf('ollama_models')?.value).toEqual(config.ollamaModels);
    expect(rowOf('import_claude_md')?.value).toBe(config.importClaudeMd);
    expect(configKeys.learn_daily_calls.default).toBe(config.learnDailyCalls);
    expect(config.learnJudges).toEqual([]);
  });
});
