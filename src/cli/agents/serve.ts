/** anamnesis serve: answers an agent over MCP. */
import type { Command } from 'commander';
import { subcommand } from '../options.js';
import { withApp } from '../session.js';

export const serveCommand = (): Command =>
  subcommand('serve', 'Answer an agent over MCP on standard input and output', [
    'serve',
    'serve < requests.jsonl',
  ]).action(() => serveAgent());

export const serveAgent = async (): Promise<void> => {
  const { serve } = await import('../../mcp/server.js');
  await withApp((app) => serve(app), { lasting: true });
};
