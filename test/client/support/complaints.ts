/** Complaints of Claude Code about a hook, a setting or a server. Pure. */
import type { Ended } from './client.js';
import { textOf } from './model-request.js';

/**
 * Empty when all was well. Looked for in three places, because each kind of fault shows in another: the events of hooks,
 * standard error (SessionEnd, which runs after the stream has ended) and the debug log (settings).
 */
export const findComplaints = ({ events, stderr, debug }: Ended): readonly string[] => [
  ...events.flatMap((event) => {
    if (event['subtype'] !== 'hook_response') return [];
    const ok = event['outcome'] === 'success' && event['exit_code'] === 0 && event['stderr'] === '';
    return ok ? [] : [`${textOf(event['hook_name'])}: ${JSON.stringify(event)}`];
  }),
  ...(stderr === '' ? [] : [`standard error: ${stderr}`]),
  ...debug.split('\n').filter((line) => complaint.test(line)),
];

/** Names such as `SessionStart:resume`, in order; those that run once the stream has ended are not among them. */
export const hooksThatRan = (events: Ended['events']): readonly string[] =>
  events.filter((event) => event['subtype'] === 'hook_response').map((event) => textOf(event['hook_name']));

/** In the words of 2.1.330; a test sees to it that they are still the words. */
const complaint = new RegExp(
  [
    'Hook JSON output (?:validation failed|had unrecognized keys)',
    'Hook output starts with \\{ but is not',
    'Hook returned incorrect event name',
    'Hook .* error: status code',
    'Hooks?:? .* (?:cancelled|timed out after)',
    'Invalid setting skipped',
    'MCP server "[^"]*":? (?:Connection failed|Connection error|Server stderr|.*connection timed out)',
  ].join('|'),
);
