/** Recognises text that orders an agent about, which a note must never carry into a later session. Pure. */
import { hasTurnMark } from '../../events/note/quoted-text.js';
import { runsDownloadedCode } from './downloaded-code.js';
import { exposesMachine } from './machine-exposure.js';
import { plainLetters } from './plain-letters.js';

/**
 * True for text that looks like an instruction hidden in data: orders to ignore earlier ones, roles of a conversation,
 * commands that fetch and run code or that open the machine, secrecy from the user, invisible characters. Knows only
 * common forms; against the others, notes are framed as recalled data, and learned ones stay below certainty. Linear.
 */
export const isPoisoned = (text: string): boolean => {
  if (hidden.test(text)) return true;
  const plain = plainLetters(text);
  return (
    [...orders, ...frames].some((form) => form.test(plain)) ||
    hasTurnMark(plain) ||
    runsDownloadedCode(plain) ||
    exposesMachine(plain)
  );
};

/** True for orders that a session's note must not pass on either, although it may mention prompts and roles. */
export const givesOrders = (text: string): boolean => orders.some((form) => form.test(plainLetters(text)));

/** Tags and direction marks that hide text from a reviewer. */
const hidden = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]|[\u{e0000}-\u{e007f}]/u;

const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,20}\b(?:previous|prior|earlier|above|preceding|existing|system|safety|all|any|your|other)\b.{0,20}\b(?:instructions?|prompts?|rules|guidelines|memor(?:y|ies)|notes|context)\b/is,
  /\b(?:bypass|circumvent|disable|evade)\b.{0,30}\b(?:safety|guardrails?|permission (?:prompts?|checks?))\b/is,
  /\b(?:do not|don['’]t|never|without) (?:tell|telling|inform|informing|notify|notifying|alert|alerting|mention|mentioning)\b.{0,20}\b(?:user|person|human|anyone|owner)\b/i,
  /\bwithout (?:asking|confirmation from|approval from|the knowledge of)\b.{0,20}\b(?:user|person|human|owner)\b/i,
  /\bexfiltrat|\breverse shell\b/i,
  /\b(?:send|post|upload|forward|leak)\b.{0,60}\b(?:secrets?|credentials?|passwords?|(?:api |access |private )keys?|environment variables|\.env)\b.{0,60}\bhttps?:/is,
  // Agents that run without asking: Claude, Codex, Gemini, Aider, Copilot, Cursor, Amp.
  /--(?:allow-)?dangerously-(?:skip|bypass|allow-all)\b|--yolo\b|--yes-always\b|--allow-all-tools\b|\bdanger-full-access\b|--(?:approval|permission)-mode[ =]["']?(?:yolo|bypassPermissions)\b/i,
  /(?:--ask-for-approval|\bcodex\b.{0,80} -a)[ =]["']?never\b|\bgemini\b(?: -{1,2}[\w=-]{1,30}){0,6} -y\b|\bcursor-agent\b.{0,60} (?:-f|--force)\b/i,
  // Removing a whole home or machine, whatever the order of the flags.
  /\brm(?=(?:\s{1,9}-{1,2}[\w-]{1,20}){0,5}\s{1,9}-(?:[a-z]{0,5}r|-recursive\b))(?=(?:\s{1,9}-{1,2}[\w-]{1,20}){0,5}\s{1,9}-(?:[a-z]{0,5}f|-force\b))(?:\s{1,9}-{1,2}[\w-]{1,20}){1,6}\s{1,9}["']?(?:~|\/(?!\/)|\$\{?HOME\}?)["']?\/?\*?(?=["'\x60,;)\s]|\.(?:\s|$)|$)/i,
];

/** White space before a role is bounded: in a run of line breaks a pattern would try every start. */
const frames: readonly RegExp[] = [
  /\b(?:reveal|print|show|output|repeat|leak|your)\b.{0,20}\b(?:system|developer) (?:prompt|message)\b/i,
  /\b(?:new|updated|real|actual|hidden) instructions?\s{0,9}:/i,
  /\byou are (?:now|no longer)\b|^[ \t]{0,40}act as\b|\bpretend (?:to be|you)\b|\bjailbr(?:eak|oken)/im,
  /<\/?\s{0,9}(?:system|assistant|user|human|instructions?|function_calls?|tool_(?:use|call|result)|invoke|antml|user_query|additional_data)\b/i,
  /\[\/?INST\]|\bsystem[-_]reminder\b/i,
  /^[ \t]{0,40}(?:system|assistant|human)[ \t]{0,9}:/im,
];
