import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EditResult } from '../../src/files/edited.js';
import { targetsOf } from '../../src/setup/clients.js';
import { editHooks } from '../../src/setup/hooks-edit.js';
import { type ClientName, clientNames } from '../../src/setup/surroundings.js';

const surroundings = {
  home: '/home/pat',
  platform: 'linux',
  environment: {},
  execPath: '/usr/bin/node',
  scriptPath: '/usr/lib/anamnesis/dist/cli.js',
} as const;
const options = { name: 'anamnesis', homeArgs: [], scripts: [surroundings.scriptPath] };

const textOf = (edited: EditResult): string => {
  if (!edited.ok) throw new Error(JSON.stringify(edited.problem));
  return edited.edit.text;
};

const handler = fc.record({ type: fc.constant('command'), command: fc.string() });
const group = fc.record(
  { matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) },
  { requiredKeys: ['hooks'] },
);
const event = fc.constantFrom('Stop', 'SessionStart', 'PreToolUse', 'PermissionRequest', '__proto__');
const hooks = fc.dictionary(event, fc.array(group, { minLength: 1, maxLength: 2 }), { minKeys: 1, maxKeys: 3 });
const settings = fc
  .tuple(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }), fc.option(hooks), fc.boolean())
  .map(([rest, hooksValue, first]) => {
    const { hooks: _, ...others } = rest;
    if (hooksValue === null) return others;
    return first ? { hooks: hooksValue, ...others } : { ...others, hooks: hooksValue };
  });
const layout = fc.record({
  unit: fc.constantFrom('', ' ', '  ', '    ', '\t', '            '),
  eol: fc.constantFrom('\n', '\r\n'),
  end: fc.constantFrom('', '\n'),
});
const settingsText = fc
  .tuple(settings, layout)
  .map(([value, { unit, eol, end }]) => (JSON.stringify(value, null, unit) + end).replaceAll('\n', eol));

const jsonTargets = clientNames
  .flatMap((client: ClientName) => targetsOf(client, surroundings, options))
  .filter(({ files }) => files[0]?.endsWith('.json'));

describe.each(jsonTargets.map((target) => ({ name: `${target.client} ${target.part}`, target })))(
  '$name',
  ({ target }) => {
    it('removes exactly what it added, whatever the file contains and however it is indented', () => {
      fc.assert(
        fc.property(settingsText, (text) => {
          const added = textOf(target.add(text));
          expect(added).not.toBe(text);
          expect(textOf(target.add(added))).toBe(added);
          expect(textOf(target.remove(added))).toBe(text);
        }),
      );
    });
    it('refuses or edits any text, and never throws', () => {
      const anyText = fc.oneof(
        fc.string(),
        fc.json(),
        settingsText.map((text) => text.slice(0, text.length / 2)),
      );
      fc.assert(
        fc.property(anyText, (text) => {
          const edited = target.add(text);
          if (edited.ok) expect(target.remove(edited.edit.text).ok).toBe(true);
          expect(target.remove(text)).toBeDefined();
        }),
      );
    });
  },
);

describe('our hooks', () => {
  const wanted = [
    { event: 'Stop', group: { hooks: [{ command: 'new', _managed_by: 'anamnesis' }], _managed_by: 'anamnesis' } },
  ];
  const old = { hooks: [{ command: 'old', _managed_by: 'anamnesis' }], _managed_by: 'anamnesis' };

  it('replace older ones, and those for events that are no longer registered', () => {
    const text = JSON.stringify({ hooks: { Stop: [old, { hooks: [] }, old], Gone: [old] } });
    const edited = editHooks(text, wanted);
    expect(JSON.parse(textOf(edited))).toEqual({ hooks: { Stop: [{ hooks: [] }, wanted[0]?.group] } });
    expect(edited).toMatchObject({
      edit: { hadOurs: true, removed: expect.arrayContaining([expect.stringContaining('old')]) },
    });
  });
  it('are recognised only by their mark', () => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: 'anamnesis hook Stop' }] }] } });
    expect(textOf(editHooks(text, []))).toBe(text);
  });
});
