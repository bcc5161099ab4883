/** Registers with Claude Code and kills itself (SIGKILL) at the n-th step. */
import { mkdirSync } from 'node:fs';
import { applyRegistrations, planRegistrations } from '../../src/setup/register.js';

const [home = '', stepText = '0'] = process.argv.slice(2);
let steps = 0;
const surroundings = {
  home,
  platform: 'linux',
  environment: { HOME: home, PATH: '' },
  execPath: '/opt/node/bin/node',
  scriptPath: '/opt/anamnesis/dist/cli.js',
} as const;
const storeHome = `${home}/.anamnesis`;
const request = { storeHome, clients: ['claude-code'], parts: ['hooks'], name: 'anamnesis' } as const;
mkdirSync(`${storeHome}/setup`, { recursive: true });
const planned = planRegistrations(request, surroundings);
if ('code' in planned) throw new Error(planned.message);
const step = (): void => {
  steps += 1;
  if (steps === Number(stepText)) process.kill(process.pid, 'SIGKILL');
};
applyRegistrations(planned, { request, surroundings, nowMs: Date.now, step });
