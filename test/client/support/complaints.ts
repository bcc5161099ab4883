/** Complaints of Claude Code about a hook, a setting or a server. Pure. */
import type { Ended } from './client.js';
import { textOf } from './model-request.js';

/**
 * Returns nothing if all was well. Looks in three places, because each kind of fault appears in a different one: the
 * events of hooks, standard error (SessionEnd, which runs after the stream has ended) and the debug log (settings).
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

/** Returns names such as `SessionStart:resume`, in order, without those that run after the stream has ended. */
export const hooksThatRan = (events: Ended['events']): readonly string[] =>
  events.filter((event) => event['subtype'] === 'hook_response').map((event) => textOf(event['hook_name']));

/** The wording of 2.1.330; a test checks that it still holds. */
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
