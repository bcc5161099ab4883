import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, type TestHome } from '../support.js';

let home: TestHome;
let work: string;
beforeEach(() => {
  home = openHome();
  work = realpathSync(home.work);
  mkdirSync(join(work, '.anamnesis'));
  mark('github.com/acme/payroll');
});
afterEach(() => home.remove());

const mark = (key: string): void => writeFileSync(join(work, '.anamnesis', 'project'), `${key}\n`);

describe('anamnesis project', () => {
  it('names the project and says why a marker does not count', async () => {
    const ran = await home.run(['project']);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^project +shop\nfrom +the folder's name\n/) });
    expect(ran.stderr).toContain(`run: anamnesis project trust ${work}`);
    expect(await home.json(['project', 'show'])).toEqual({
      folder: work,
      project: 'shop',
      from: 'folder',
      marker: join(work, '.anamnesis', 'project'),
      ignored: expect.stringContaining('github.com/acme/payroll'),
    });
  });

  it('names a marker that does not count in answers too, which an agent reads', async () => {
    const why = expect.stringContaining(`run: anamnesis project trust ${work}`);
    expect((await home.json(['write', 'A', '--body', 'b'])).warnings).toEqual([why]);
    expect((await home.json(['inject'])).warnings).toEqual([why]);
    const { checks } = JSON.parse((await home.run(['doctor', '--json'])).stdout);
    expect(checks).toContainEqual(expect.objectContaining({ check: 'project', state: 'warning', message: why }));
  });

  it('trust makes the marker count in every command, and untrust takes that back', async () => {
    writeFileSync(join(home.folder, 'x'), '');
    mkdirSync(home.store);
    writeFileSync(join(home.store, 'config.json'), '{\n  // mine\n  "recall": false\n}\n'.replace('  // mine\n', ''));
    expect(await home.json(['project', 'trust'])).toMatchObject({
      status: 'trusted',
      named: 'github.com/acme/payroll',
      project: 'github.com/acme/payroll',
    });
    expect(JSON.parse(readFileSync(join(home.store, 'config.json'), 'utf8'))).toEqual({
      recall: false,
      trusted_projects: { [work]: 'github.com/acme/payroll' },
    });
    expect(await home.json(['project', 'trust'])).toMatchObject({ status: 'unchanged' });
    mkdirSync(join(work, 'deep'));
    const written = await home.run(['write', 'A', '--body', 'b', '--json'], { cwd: join(work, 'deep') });
    expect(JSON.parse(written.stdout).project).toBe('github.com/acme/payroll');
    expect(written.stderr).toBe('');
    expect(await home.json(['project', 'untrust'])).toMatchObject({
      status: 'untrusted',
      project: 'shop',
    });
    expect(JSON.parse(readFileSync(join(home.store, 'config.json'), 'utf8'))).toEqual({ recall: false });
    // Whether all else is well depends on the agents and programs of this machine.
    const { checks } = JSON.parse((await home.run(['doctor', '--json'])).stdout);
    expect(checks).not.toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('trusted_projects') }),
    );
  });

  it('trusts no marker that names every project, looks like a secret or does not exist', async () => {
    mark('global');
    expect((await home.json(['project', 'trust'], { code: 1 })).error.code).toBe('marker-invalid');
    mark(`ghp_${'a1B2'.repeat(9)}`);
    const refused = await home.run(['project', 'trust', '--json']);
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).not.toContain('ghp_a1');
    expect((await home.json(['project', 'trust', home.folder], { code: 1 })).error.code).toBe('no-marker');
    expect((await home.json(['project', 'trust', join(home.folder, 'gone')], { code: 1 })).error.code).toBe(
      'value-invalid',
    );
  });
});

describe('a marker that does not count', () => {
  it("is named on stderr, and the notes go to the folder's own project", async () => {
    const ran = await home.run(['write', 'A', '--body', 'b', '--json']);
    expect(JSON.parse(ran.stdout).project).toBe('shop');
    expect(ran.stderr).toContain('anamnesis project trust');
    expect((await home.run(['inject'])).stderr).toContain('anamnesis project trust');
  });

  it('gives a session no note of the project that it names, and is mentioned only in the log', async () => {
    await home.json(['write', 'Salaries', '--body', 'are secret', '--project', 'github.com/acme/payroll']);
    await home.json(['write', 'Mine', '--body', 'is here', '--project', 'shop']);
    const input = JSON.stringify({ session_id: 's', cwd: work, source: 'startup', transcript_path: '' });
    const ran = home.spawn(['hook', 'SessionStart'], { input });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('is here');
    expect(ran.stdout).not.toContain('Salaries');
    const logs = readdirSync(join(home.store, 'logs')).map((name) =>
      readFileSync(join(home.store, 'logs', name), 'utf8'),
    );
    expect(logs.join('')).toContain('it names \\"github.com/acme/payroll\\"'.replaceAll('\\', ''));
    expect(statSync(join(home.store, 'logs')).isDirectory()).toBe(true);
  });

  it('leaves the project to the origin remote, without the password in its address', async () => {
    mkdirSync(join(work, '.git'));
    writeFileSync(
      join(work, '.git', 'config'),
      '[remote "origin"]\n\turl = https://me:hunter@2@git.example/acme/shop.git\n',
    );
    expect((await home.json(['write', 'A', '--body', 'b'])).project).toBe('git.example/acme/shop');
  });
});
