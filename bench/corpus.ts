/**
 * Developer notes for benchmarks: any number of them, the same every time. Everything that affects the index is
 * natural: how often "the" occurs, how many words occur once, how long bodies are, how often a note repeats its own
 * words. The rates follow examples/notes.jsonl (5.3 % "the", 2.4 % "a"). The tables are below the code that reads them.
 */
import { formatTime } from '../src/events/time.js';

export type CorpusNote = {
  readonly id: string;
  readonly type: 'procedural' | 'semantic' | 'episodic';
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly project: string;
};

/** Each note has its own random stream, so the first n notes are the same at every count. */
export function* corpus(count: number, seed = 1): Generator<CorpusNote> {
  for (let index = 0; index < count; index += 1) yield noteAt(index, seed);
}

/** Questions of 12 words, each about the subject of one note of `corpus(corpusSize, seed)`. */
export const corpusQueries = (count: number, corpusSize: number, seed = 1): string[] => {
  const random = mulberry32(mix(seed, 0x51ed270b));
  return Array.from({ length: count }, () => {
    const index = Math.floor(random() * corpusSize);
    const { project, topics, focus } = draftOf(index, seed);
    return queryAbout({ random, project, topics, focus });
  });
};

type Random = () => number;

/** Tommy Ettinger's mulberry32: 32 bits of state, evenly spread in [0, 1). */
const mulberry32 = (seed: number): Random => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

/** The finaliser of MurmurHash3 over both numbers: neighbours get unrelated streams. */
const mix = (a: number, b: number): number => {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/**
 * An index below `size`, rank r with a chance near 1/(r + shift): Zipf's law with Mandelbrot's shift. A greater shift
 * flattens the head. log and exp are the same on every machine, because V8 has its own.
 */
const zipf = (random: Random, size: number, shift: number): number =>
  Math.floor(shift * Math.exp(random() * Math.log((size + shift) / shift)) - shift);

const pick = <T>(random: Random, from: readonly T[], shift = 6): T => from[zipf(random, from.length, shift)]!;
const pickEvenly = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const between = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1));

type Topic = {
  readonly name: string;
  readonly tools: readonly string[];
  readonly nouns: readonly string[];
  readonly keys: readonly string[];
  readonly symptoms: readonly string[];
  readonly actions: readonly string[];
};
type Project = { readonly name: string; readonly number: number; readonly extension: string };

/** Words that a note keeps repeating: they are half of its words of these kinds. */
type Focus = {
  readonly noun: string;
  readonly tool: string;
  readonly key: string;
  readonly symptom: string;
  readonly action: string;
  readonly symbol: string;
  readonly path: string;
  readonly service: string;
};
type Draft = {
  readonly random: Random;
  readonly project: Project;
  readonly topics: readonly [Topic, Topic];
  readonly focus: Focus;
};

const draftOf = (index: number, seed: number): Draft => {
  const random = mulberry32(mix(seed, index));
  const project = pick(random, projects, 1);
  // 7 has no divisor in common with the number of topics, so each project has all of them, in its own order.
  const topic = (): Topic => topics[(project.number * 5 + zipf(random, topics.length, 1) * 7) % topics.length]!;
  const both = [topic(), topic()] as const;
  const focus = {
    noun: pick(random, both[0].nouns),
    tool: pick(random, both[0].tools),
    key: pick(random, both[0].keys),
    symptom: pick(random, both[0].symptoms),
    action: actionOf(random, both[0]),
    symbol: symbolOf(random, project),
    path: pathOf(random, project),
    service: serviceOf(random, project),
  };
  return { random, project, topics: both, focus };
};

const noteAt = (index: number, seed: number): CorpusNote => {
  const draft = draftOf(index, seed);
  const { random } = draft;
  const share = random();
  const type = share < 0.45 ? 'semantic' : share < 0.75 ? 'procedural' : 'episodic';
  return {
    id: `note-${String(index + 1).padStart(6, '0')}`,
    type,
    title: capital(render(pick(random, titles[type]), draft)).replaceAll('`', ''),
    body: bodyOf(type, draft),
    tags: tagsOf(draft),
    created_at: formatTime(Date.UTC(2024, 0, 1) + Math.floor(random() * 900 * 86_400) * 1000),
    project: draft.project.name,
  };
};

const minBody = 120;
const maxBody = 4000;

/** Log-normal in length: median 575 characters, mean near 700. */
const bodyOf = (type: CorpusNote['type'], draft: Draft): string => {
  const { random } = draft;
  // The sum of twelve uniform numbers, less six, is as good as normal here and never further out than six.
  let normal = -6;
  for (let i = 0; i < 12; i += 1) normal += random();
  const wanted = Math.min(Math.max(575 * Math.exp(0.62 * normal), minBody), maxBody);
  let body = '';
  // A block ends on average 40 characters late, at the end of its sentence.
  while (body.length < Math.max(wanted - 40, minBody)) {
    const left = wanted - body.length;
    const kind = random();
    const block =
      left > 160 && kind < 0.09
        ? render(pickEvenly(random, codeBlocks), draft)
        : left > 200 && kind < 0.38
          ? list(type, draft)
          : left > 700 && kind < 0.48
            ? `## ${capital(render(pickEvenly(random, headings), draft))}\n\n${paragraph(type, draft, left)}`
            : paragraph(type, draft, left);
    if (body.length + block.length + 2 > maxBody) break;
    body += body === '' ? block : `\n\n${block}`;
  }
  return body;
};

const paragraph = (type: CorpusNote['type'], draft: Draft, left: number): string => {
  const enough = Math.min(left - 40, between(draft.random, 60, 360));
  let text = sentence(type, draft);
  while (text.length < enough) text += ` ${sentence(type, draft)}`;
  return text;
};

const sentence = (type: CorpusNote['type'], draft: Draft): string =>
  capital(render(pick(draft.random, draft.random() < 0.3 ? sentencesOf[type] : sentences, 25), draft));

const list = (type: CorpusNote['type'], draft: Draft): string => {
  const { random } = draft;
  const numbered = type === 'procedural' && random() < 0.6;
  const items = Array.from({ length: between(random, 2, 5) }, (_, i) => {
    const text = capital(render(pick(random, numbered ? steps : bullets, 12), draft));
    return `${numbered ? `${i + 1}.` : '-'} ${text}`;
  });
  return `${capital(render(pickEvenly(random, listOpenings), draft))}\n\n${items.join('\n')}`;
};

const tagsOf = (draft: Draft): string[] => {
  const { random, topics: both, focus } = draft;
  const all = [both[0].name, focus.tool, focus.noun, both[1].name, pick(random, both[1].tools)];
  const slugs = all.map((tag) => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  return [...new Set(slugs)].slice(0, between(random, 2, 4));
};

/** An opening and a tail, drawn until they have 12 words together; about one draw in eight does. */
const queryAbout = (draft: Draft): string => {
  for (;;) {
    const opening = render(pickEvenly(draft.random, questions), draft).split(' ');
    const tail = render(pickEvenly(draft.random, questionTails), draft).split(' ');
    const saidTwice = opening.includes(tail.at(-1)!);
    if (opening.length + tail.length === 12 && !saidTwice) return `${[...opening, ...tail].join(' ')}?`;
  }
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Slot = (draft: Draft) => string;
type Template = { readonly texts: readonly string[]; readonly slots: readonly Slot[] };

const render = ({ texts, slots }: Template, draft: Draft): string => {
  let text = texts[0]!;
  for (let i = 0; i < slots.length; i += 1) text += slots[i]!(draft) + texts[i + 1]!;
  return text;
};

/** `{name}` is a slot, `{a name}` the same one with its article, `{the name}` with any determiner. */
const parseTemplate = (source: string): Template => {
  const parts = source.split(/\{(?:(a|the) )?(\w+)\}/);
  const texts: string[] = [];
  const found: Slot[] = [];
  for (let i = 0; i < parts.length; i += 3) {
    texts.push(parts[i]!);
    const name = parts[i + 2];
    if (name === undefined) continue;
    const slot = slots[name];
    if (slot === undefined) throw new Error(`no slot {${name}} in: ${source}`);
    found.push(parts[i + 1] === 'a' ? withArticle(slot) : parts[i + 1] === 'the' ? withDeterminer(slot) : slot);
  }
  return { texts, slots: found };
};

const article = (text: string): string => `${/^(?:[aeio]|u(?!ni|s))/i.test(text) ? 'an' : 'a'} ${text}`;
const withArticle =
  (slot: Slot): Slot =>
  (draft) =>
    article(slot(draft));

/** "the" before every noun would make it a tenth of all words, twice as many as people write. */
const withDeterminer =
  (slot: Slot): Slot =>
  (draft) => {
    const share = draft.random();
    if (share < 0.27) return `the ${slot(draft)}`;
    if (share < 0.47) return article(slot(draft));
    if (share < 0.54) return `${draft.focus.service}'s ${slot(draft)}`;
    if (share < 0.72) return `${adjectiveOf(draft.random)} ${slot(draft)}`;
    return `${pick(draft.random, determiners, 6)} ${slot(draft)}`;
  };

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const templates = (text: string): Template[] => lines(text).map(parseTemplate);
const words = (text: string): string[] => text.trim().split(/\s+/);

const actionOf = (random: Random, topic: Topic): string => {
  if (random() < 0.5) return pick(random, topic.actions);
  const noun = pick(random, topic.nouns);
  return `${pick(random, verbs, 20)} the ${random() < 0.3 ? `${adjectiveOf(random)} ${noun}` : noun}`;
};

/** Each project has a pool of 20,000 names, given by the project's number and a rank; most of them occur once. */
const poolNumber = (random: Random, project: Project, kind: number): number =>
  mix(project.number * 16 + kind, zipf(random, 20_000, 5));

const partsOf = (number: number): readonly [string, string, string] => [
  symbolVerbs[(number >>> 3) % symbolVerbs.length]!,
  symbolParts[(number >>> 7) % symbolParts.length]!,
  symbolParts[(number >>> 15) % symbolParts.length]!,
];

const symbolOf = (random: Random, project: Project): string => {
  const number = poolNumber(random, project, 1);
  const [verb, first, second] = partsOf(number);
  const snake = project.extension === 'py' || project.extension === 'rs';
  switch (number % 4) {
    case 0:
      return `${capital(first)}${capital(second)}${classEndings[(number >>> 2) % classEndings.length]!}`;
    case 1:
      return snake ? `${verb}_${first}` : `${verb}${capital(first)}`;
    default:
      return snake ? `${verb}_${first}_${second}` : `${verb}${capital(first)}${capital(second)}`;
  }
};

const pathOf = (random: Random, project: Project): string => {
  const number = poolNumber(random, project, 2);
  const [verb, first, second] = partsOf(number);
  const folder = folders[number % folders.length]!;
  const file = number % 3 === 0 ? `${first}-${second}` : number % 3 === 1 ? `${verb}-${first}` : second;
  return `${folder}/${first}/${file}.${number % 11 === 0 ? 'yaml' : number % 13 === 0 ? 'sql' : project.extension}`;
};

const serviceOf = (random: Random, project: Project): string => {
  const number = mix(project.number, zipf(random, 40, 3));
  const name = `${nameStarts[number % nameStarts.length]!}${nameEnds[(number >>> 8) % nameEnds.length]!}`;
  return number % 3 === 0 ? `${name}-${serviceEndings[(number >>> 16) % serviceEndings.length]!}` : name;
};

/** Words such as "resharding": they fill the ranks between the tables here and the identifiers. */
const coinedOf = (random: Random, endings: readonly string[]): string => {
  const number = mix(11, zipf(random, 8000, 60));
  const start = coinedStarts[number % coinedStarts.length]!;
  const root = coinedRoots[(number >>> 5) % coinedRoots.length]!;
  return start + suffixed(root, endings[(number >>> 16) % endings.length]!);
};

const adjectiveOf = (random: Random): string =>
  random() < 0.12 ? coinedOf(random, adjectiveEndings) : pick(random, adjectives, 30);

const nounOf = (random: Random): string => (random() < 0.15 ? coinedOf(random, nounEndings) : pick(random, things, 40));

const customerOf = (random: Random): string => {
  const number = mix(12, zipf(random, 3000, 60));
  return `${capital(nameStarts[number % nameStarts.length]!)}${nameEnds[(number >>> 8) % nameEnds.length]!}`;
};

/** map, mapping; cache, caching; group, grouping. */
const suffixed = (root: string, ending: string): string => {
  if (!/^[aei]/.test(ending)) return root + ending;
  return /^[^aeiou]*[aeiou][bdgmnpt]$/.test(root) ? root + root.slice(-1) + ending : root.replace(/e$/, '') + ending;
};

/** 32 bits in hexadecimal, like a short commit id. */
const hexOf = (random: Random): string =>
  Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');

const errorOf = ({ random, project }: Draft): string => {
  const number = poolNumber(random, project, 3);
  const [verb, first, second] = partsOf(number);
  switch (number % 5) {
    case 0:
      return `ERR_${first}_${second}`.toUpperCase();
    case 1:
      return `E${1000 + (number % 9000)}`;
    case 2:
      return `${capital(first)}${capital(second)}Error`;
    case 3:
      return `${first} ${second}: ${pickEvenly(random, failures)}`;
    default:
      return `cannot ${verb} ${first}: ${pickEvenly(random, failures)} (code ${number % 600})`;
  }
};

/** The note's own word half of the time: a note repeats itself more than its topic does. */
const own =
  (kind: keyof Focus, other: Slot): Slot =>
  (draft) =>
    draft.random() < 0.5 ? draft.focus[kind] : other(draft);
const topicOf = ({ random, topics: both }: Draft): Topic => (random() < 0.85 ? both[0] : both[1]);
const code =
  (slot: Slot): Slot =>
  (draft) =>
    `\`${slot(draft)}\``;

const noun: Slot = (draft) => pick(draft.random, topicOf(draft).nouns);
const key = own('key', (draft) => pick(draft.random, topicOf(draft).keys));
const symbol = own('symbol', ({ random, project }) => symbolOf(random, project));
const path = own('path', ({ random, project }) => pathOf(random, project));

const slots: Readonly<Record<string, Slot>> = {
  noun: own('noun', noun),
  other: noun,
  tool: own('tool', (draft) => pick(draft.random, topicOf(draft).tools)),
  symptom: own('symptom', (draft) => pick(draft.random, topicOf(draft).symptoms)),
  action: own('action', (draft) => actionOf(draft.random, topicOf(draft))),
  service: own('service', ({ random, project }) => serviceOf(random, project)),
  ownNoun: ({ focus }) => focus.noun,
  ownTool: ({ focus }) => focus.tool,
  ownSymptom: ({ focus }) => focus.symptom,
  ownAction: ({ focus }) => focus.action,
  ownSymbol: ({ focus }) => focus.symbol,
  ownService: ({ focus }) => focus.service,
  ownKey: ({ focus }) => focus.key,
  key: code(key),
  rawKey: key,
  symbol: code(symbol),
  rawSymbol: symbol,
  path: code(path),
  rawPath: path,
  error: code(errorOf),
  rawError: errorOf,
  adj: ({ random }) => adjectiveOf(random),
  adv: ({ random }) => pick(random, adverbs, 12),
  verb: ({ random }) => pick(random, verbs, 20),
  verbing: ({ random }) => suffixed(pick(random, verbs, 20), 'ing'),
  thing: ({ random }) => nounOf(random),
  coined: ({ random }) => coinedOf(random, adjectiveEndings),
  customer: ({ random }) => customerOf(random),
  reason: ({ random }) => pick(random, reasons, 12),
  when: ({ random }) => pick(random, moments, 12),
  env: ({ random }) => pick(random, environments, 2),
  person: ({ random }) => pick(random, people, 8),
  version: ({ random }) => `${zipf(random, 24, 2)}.${zipf(random, 40, 3)}.${zipf(random, 30, 2)}`,
  few: ({ random }) => String(2 + zipf(random, 30, 2)),
  many: ({ random }) => String(Math.floor(20 * Math.exp(random() * 8))),
  percent: ({ random }) => `${between(random, 1, 99)} %`,
  time: ({ random }) => `${2 + zipf(random, 90, 4)} ${pick(random, timeUnits, 3)}`,
  date: ({ random }) => formatTime(Date.UTC(2024, 0, 1) + Math.floor(random() * 900) * 86_400_000).slice(0, 10),
  commit: ({ random }) => hexOf(random),
  ticket: ({ random, project }) => `${ticketKeys[project.number % ticketKeys.length]!}-${1 + zipf(random, 6000, 400)}`,
  host: ({ random, focus }) => `${focus.service}-${between(random, 1, 12)}.${pick(random, zones, 2)}.internal`,
  port: ({ random }) => String(between(random, 1024, 9999)),
  team: ({ random }) => pick(random, teams, 3),
};

const determiners = words('our this that each every its their any another your');
const verbs = words(`
  move check restart keep rename split drop remove pin disable rebuild replace rotate wrap cache trace reset guard
  inline review limit delay batch mount migrate expose warm raise lower ignore mirror queue seed shard retry stub
  verify test measure document extend freeze isolate reload share simplify sort store tag trim update upgrade validate
  bypass archive audit backfill bisect compress deprecate downgrade drain export flush format hide import inspect
  label lint lock log merge monitor override patch poll probe profile prune purge rebase refactor register reject
  render replay restrict revert sample scan schedule serialise snapshot stream subscribe swap throttle toggle truncate
  vendor version whitelist accept adapt add adjust align allocate announce append approve arrange assemble assign
  attach avoid balance bind block bootstrap bound build bump buffer calculate call capture centralise change clean
  clone close collapse collect combine compare compile compute configure confirm connect consume convert copy count
  cover create customise cut debug declare decouple define delegate deliver deploy describe design detach detect
  discard distribute divide duplicate edit embed emit emulate enable encapsulate encode encrypt enforce enrich
  estimate evaluate evict examine exclude execute expand expire explain exploit extract fetch fill filter find finish
  fix flatten fold forward fuzz generate group harden hold identify implement improve index initialise inject install
  instrument integrate intercept invalidate invoke iterate join justify kill launch link list load locate maintain
  manage map mark mask match modify mute name normalise notify observe offload open optimise order outline pack parse
  partition pause pay persist pick plan port postpone precompute predict prefer prepare preserve prevent print
  prioritise process promote propagate propose protect prove provide provision publish pull push query rank reach
  reboot rebalance recompute reconcile record recover recycle redesign reduce refresh rehearse release relocate
  reorder repair repeat report request rerun reserve resize resolve restore resume rethink return reuse reverse
  rewrite route run sanitise save secure select send separate serve set sign silence simulate skip solve spawn specify
  squash stabilise stage standardise start stop strip submit suppress survey suspend synchronise terminate tighten
  time transfer transform translate trigger trust tune unblock understand undo unify unlock unpack untangle use visit
  wait watch widen withdraw write zip`);
const adjectives = words(`
  slow old new shared main stale empty large small local safe default wrong missing noisy cheap second whole idle late
  broken unused internal public manual remote strict partial nightly legacy temporary flaky hot cold duplicate
  optional nested silent expensive external unsafe fresh failed primary generated hidden readable concurrent corrupt
  custom dead deep dirty early explicit fast final generic global harmless huge implicit inconsistent invalid lazy
  lost mutable narrow obsolete orphaned overdue parallel pending permanent plain predictable private raw redundant
  rigid scheduled secondary sensible sparse spurious static tiny transient trusted unbounded undocumented untyped
  verbose visible volatile able abrupt absent absolute abstract acceptable accidental accurate active actual
  additional adequate affected aggressive alien ambiguous annoying anonymous apparent applicable arbitrary artificial
  asynchronous atomic attractive automatic available average aware awkward bare basic beneficial binary blank blocking
  blunt bold brief brittle busy careful careless central certain characteristic circular classic clean clear clever
  close coarse coherent common compact comparable compatible competing complete complex compound conditional confusing
  considerable consistent constant convenient conventional correct costly crude crucial cryptic cumulative current
  cyclic dangerous decent dedicated defensive definite delicate dense dependent desirable detailed different difficult
  direct distant distinct double doubtful dramatic dry dual dull dynamic eager easy effective efficient elaborate
  elegant eligible embedded enormous entire equal equivalent essential even exact excessive exclusive exotic
  experimental extra extreme fair faithful familiar fatal faulty favourable feasible federated fixed flat flexible
  foreign formal forgotten fragile free frequent friendly full functional fundamental further fuzzy general genuine
  good gradual greedy half handy hard healthy heavy helpful high homegrown honest horizontal hostile hybrid ideal
  identical illegal immediate immutable imperfect important impossible inactive inadequate incomplete incorrect
  independent indirect individual inevitable infinite informal initial inner innocent insecure instant intact
  intermediate intermittent intricate irregular irrelevant joint keen known lean lengthy level light likely linear
  literal live lively logical long loose loud low lucky major mandatory marginal massive mature maximal meaningful
  mechanical medium mild minimal minor misleading mixed modern modest modular mundane mutual naive native natural neat
  negative neutral normal notable novel numeric obscure obvious odd offline opaque open opposite ordinary original
  outer outdated painful particular passive peculiar perfect periodic persistent pointless polite poor popular
  portable positive possible powerful practical precise preliminary premature present pretty previous prior probable
  problematic productive prominent proper proprietary protected provisional pure quick quiet random rapid rare
  rational real reasonable recent recursive regular related relative relevant reliable repeated reproducible residual
  responsible reusable reverse rich right risky robust rough rough-edged round routine satisfactory scarce secret
  secure selective semantic separate serial serious severe shallow sharp short significant similar simple single
  singular slight smart smooth soft solid sound special specific stable stateful stateless steady steep sticky strange
  strong structural stubborn subtle successful sudden sufficient suitable superficial supported surprising suspicious
  symbolic synchronous synthetic systematic technical tedious tentative thick thin thorough tidy tight total tough
  traditional transparent tricky trivial true typical ugly ultimate unclear uniform unique universal unknown unlikely
  unreliable unstable unusual upper urgent useful useless usual vague valid valuable variable various vast vertical
  viable virtual vital vulnerable weak weird wide wild worthless`);
const adverbs = words(`
  only still always never already usually again quickly often silently simply mostly rarely probably sometimes twice
  slowly exactly fully safely carefully once apparently directly eventually locally automatically barely briefly
  cleanly consistently deliberately deterministically explicitly gradually immediately implicitly independently
  intermittently lazily manually nearly occasionally partially periodically permanently properly randomly reliably
  remotely separately synchronously temporarily typically unexpectedly accidentally accurately actively additionally
  afterwards alone alternatively annoyingly anyway approximately arbitrarily basically broadly certainly chiefly
  cleverly clearly closely commonly completely concurrently conditionally constantly correctly currently dynamically
  easily efficiently entirely especially essentially evenly evidently finally formally formerly fortunately frequently
  generally globally happily harmlessly heavily hopefully ideally inadvertently indirectly initially internally
  largely lately later literally loosely mainly naturally necessarily normally notably notoriously obviously
  officially openly originally otherwise particularly peacefully plainly possibly potentially practically precisely
  presumably previously primarily quietly rapidly readily reasonably recently regularly repeatedly reportedly roughly
  seemingly seldom selectively seriously shortly similarly smoothly somehow soon strictly strongly suddenly supposedly
  surely surprisingly technically tightly together transparently ultimately uniformly unfortunately unintentionally
  usefully vaguely verbosely widely wrongly`);
const things = words(`
  change file request job setting value problem release script error team branch warning default log rule name page
  check version order limit call machine message table key row client user list step copy report patch review owner
  case test flag task process answer thread window field option number budget cost dashboard alert ticket runbook
  schedule fixture wrapper handler helper interface workaround fallback boundary baseline bottleneck checklist comment
  contract convention counter customer deadline decision dependency diff draft edge example experiment graph guess
  habit hook incident invariant laptop layer library loop measurement meeting mistake note outage package path pattern
  plan plugin policy prototype quota refactoring regression reminder reply rollback sample shortcut signal snippet
  spike state summary surprise symptom template threshold trade-off trace upgrade variable vendor view access account
  action adapter agreement amount analysis appendix approach area argument assumption attempt attribute audience
  author backlog bandwidth barrier basis behaviour benefit binary blocker board bonus bracket bridge browser bucket
  bug button byte calculation calendar candidate capacity category chance chapter character choice class cleanup clock
  collection column command committee company comparison complaint compromise concept concern conclusion condition
  connection consequence constant constraint container content context conversation conversion copyright corner count
  country course coverage crash criterion cycle damage database deal debt definition delay demo department deployment
  design desk destination detail developer device difference directory disk distance district document domain door
  driver duration editor effect effort element email encoding engine entry environment estimate evaluation evidence
  exception exchange exercise expectation expert explanation expression extension extract failure favour feature
  feedback figure filter finding fix folder footer form formula forum fraction frame framework friction function gap
  glossary goal grid guarantee guide hardware header heading hint history hobby hole host hotfix icon idea identity
  image impact import improvement index indicator initiative input inquiry instance instruction insurance integer
  intention interest interval introduction inventory investigation issue item join journal keyboard keyword kickoff
  label language layout leak learning legend length lesson letter level licence limitation link literal load location
  lookup mailbox maintainer manager manual map margin market material matter maximum mechanism memo menu method
  middleware milestone minimum mode model moment monitor month motivation mouse network newcomer notebook notice
  notification object objection observation obstacle occasion offer office operation operator opinion organisation
  origin output overhead overview pair paragraph parameter parent part partner pause payload peak penalty person phase
  phone phrase picture pipe placeholder platform pointer pool portal position postmortem practice precision preference
  prefix premise presentation pressure principle priority privilege procedure product progress promise proof property
  proposal protocol purpose push quality quarter question quirk quote range rate ratio reader reality recipe
  recommendation record recovery reference regulation relation repository representation requirement research reset
  resource restriction result retention return revision reward risk role root routine sanity scale scenario scope
  screenshot section sentence separator series session shape shell shift shortage side sign silence similarity site
  situation size skill slide software solution sort source spec speed sprint stage stakeholder standard statement
  station statistic status strategy string structure study style subject substitute suffix suggestion suite supplier
  switch syntax talk target technique telephone terminal theory third title toolbox topic total tracker trade traffic
  training transition translation tree trick trouble tutorial type unit usage utility validation variant verdict video
  visit warehouse weakness website weekend wiki wording workflow workshop zone`);
const people = words(`
  Mara Jonas Priya Tomas Ines Li Hannah Omar Katya Ben Sofia Daniel Aiko Ravi Lena Marco Chloe Yusuf Nina Peter Amara
  Felix Grace Hugo Ingrid Jamal Kenji Laura Mateo Nadia Oscar Paula Quentin Rosa Samir Tara Ulrich Vera Wei Xenia Yara
  Zoltan Agnes Bruno Celine Dmitri Elif Farid Greta Henrik Aaron Abigail Adele Alba Aldo Alice Amir Anders Andrea
  Anika Arthur Astrid Aurora Bastian Beatriz Bjorn Bogdan Camille Carlos Carmen Cedric Chandra Clara Conrad Dagny
  Damian Deepa Diego Edith Eduardo Eleni Emil Esther Eva Fatima Fiona Francesca Gabriel Georg Gianna Giulia Gustav
  Hana Harriet Hiro Ian Ibrahim Igor Irene Isabel Ivan Jana Jasmin Joao Johan Julia Kai Karim Kofi Lars Leila Leo
  Linnea Luca Lucia Magnus Malik Manuel Margot Maria Martin Matilda Max Meera Milan Miriam Mohan Nadine Niko Noor Olga
  Olivia Orla Otto Pablo Patrick Philippa Rafael Rania Rebecca Robin Roman Ruth Sara Sebastian Sergio Shreya Silvia
  Simon Stefan Sunil Susan Svetlana Tariq Theo Thomas Ursula Valentin Victor Viola Walter Yasmin Yuki Zara Zeynep`);
const environments = ['production', 'staging', 'CI', 'the preview environment', 'the sandbox', 'the canary', 'Windows'];
const timeUnits = ['seconds', 'minutes', 'ms', 'hours', 'days', 'weeks'];
const zones = ['eu-west-1', 'us-east-1', 'fra2', 'ap-south-1', 'lab'];
const teams = [
  'platform team',
  'data team',
  'mobile team',
  'security team',
  'on-call engineer',
  'support team',
  'vendor',
];
const ticketKeys = ['PLAT', 'PAY', 'OPS', 'WEB', 'DATA', 'CORE', 'APP', 'INFRA', 'SEC'];
const failures = lines(`
  timed out
  permission denied
  no such file or directory
  unexpected end of input
  connection reset by peer
  already exists
  not a valid identifier
  checksum mismatch
  too many open files
  out of range`);
const reasons = lines(`
  the old value was a guess
  nobody had measured it before
  it hides the real error
  the two sides disagree about time zones
  a retry would run it twice
  the lock is held for too long
  we could not reproduce it on a laptop
  the default changed in that release
  it costs more than it saves
  the vendor asked for it
  the first attempt leaves half of the rows behind
  someone copied it from an older project
  that is what the contract with the customer says
  the log is too noisy to read
  it reads the whole file into memory
  the order of the two calls matters
  the clock on that machine is wrong
  both of them write to the same place
  we were paged for it three times in a week
  it makes the diff easy to review
  the documentation is out of date`);
const moments = lines(`
  on Monday morning
  during the last release
  at the end of the month
  in the middle of the night
  after the upgrade
  while the backup was running
  two days before the launch
  under load
  right after a restart
  when the office network was down
  on the first request of the day
  in about one run out of ten`);

const symbolVerbs = words(`
  get load parse build resolve fetch apply create update read write make find render validate handle compute format
  ensure collect decode encode merge schedule refresh acquire release register dispatch flatten normalise hydrate
  evict reconcile enqueue drain publish sign verify rotate throttle`);
const symbolParts = words(`
  user order token account session config event batch index route query cache invoice tenant record payload schema
  client header cursor page filter bucket lease quota ledger region price cart coupon refund webhook profile avatar
  comment thread channel message upload chunk digest snapshot segment shard replica cluster node volume secret
  policy role scope claim grant device sensor reading metric span trace alert rule budget window frame layout widget
  modal theme locale asset bundle module package manifest release channel artifact worker job task queue topic
  offset partition consumer producer stream buffer packet socket proxy gateway endpoint domain zone certificate key
  vault backup restore migration fixture factory adapter registry resolver visitor parser lexer grammar symbol
  scopeTree operand opcode register pointer arena slab heap slice tensor vector matrix kernel gradient checkpoint
  epoch dataset label sample customer vendor shipment parcel warehouse stock basket discount tax currency balance
  payout dispute mandate transfer calendar booking slot room guest ticket seat venue roster shift payroll badge
  survey ballot lesson course grade`);
const classEndings = words(
  'Store Service Handler Factory Cache Reader Builder Policy Adapter Repository Listener Pool',
);
const folders = words(
  'src lib internal app test pkg services scripts src/server src/ui cmd packages infra tools config',
);
const nameStarts = words(`
  amber birch cinder drift ember falcon garnet harbor iron juniper kestrel lumen maple nimbus onyx pebble quill
  raven slate tundra umber violet willow yarrow zephyr basalt copper delta fjord granite heron indigo jasper lark
  moss north orchid prairie quartz ridge sable thistle vesper wren`);
const nameEnds = words(`
  gate store hub works flow line base cast desk dock field forge grid house keep lane link loom mark mill pass path
  point port post rail root scope shed shore sight span spring stack stone trail vault ward watch way well wire yard`);
const coinedStarts = words(
  're pre un multi sub auto de inter over non micro pseudo cross semi meta hyper under mid co',
);
const coinedRoots = words(`
  load batch queue shard stream index route sync scale plan link render parse compile format schedule partition
  token balance cluster mount patch pool buffer frame chunk version lock map bind fork trace hash pack sign seed
  poll stack thread test label group filter sort merge split commit stage build deploy cast script branch block
  chain flush fetch fold grant guard heap join kernel lease log model node page port proxy range rank record report
  sample scan scope score select session shift signal slot snap span spawn start store swap switch table tag task
  text time track tree type unit wrap`);
const adjectiveEndings = words('able ed less ing');
const nounEndings = words('er ing ment ability');
const serviceEndings = words('api worker web gateway sync admin cron proxy ingest');

const projects: readonly Project[] = lines(`
  github.com/harbor/payments-api ts
  github.com/harbor/web-shop ts
  github.com/fernway/platform go
  github.com/fernway/ingest py
  github.com/lumen/console ts
  github.com/lumen/agent rs
  github.com/tidewater/scheduler go
  github.com/tidewater/mobile kt
  github.com/quarry/search-core rs
  github.com/quarry/crawler py
  github.com/northgate/identity ts
  github.com/northgate/infra tf
  github.com/pinefold/design-system tsx
  github.com/pinefold/docs-site ts
  github.com/oxbow/billing py
  github.com/oxbow/reports py
  github.com/saltmarsh/edge-proxy rs
  github.com/saltmarsh/telemetry go
  github.com/kiln/build-tools ts
  github.com/kiln/registry go
  github.com/brightwell/notebooks py
  github.com/brightwell/features py
  gitlab.com/aldergrove/firmware c
  gitlab.com/aldergrove/gateway cpp
  gitlab.com/mossy/mailer rb
  gitlab.com/mossy/calendar ts
  dotfiles sh
  advent-of-code rs
  home-server yaml
  thesis py`).map((line, number) => {
  const [name, extension] = words(line);
  return { name: name!, number, extension: extension! };
});

/** Paragraphs of a name and lines of `kind: comma-separated list`; a line that is indented further continues it. */
const parseTopics = (text: string): Topic[] =>
  text
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const [name, ...rest] = block.replaceAll(/\n {4,}/g, ' ').split('\n');
      const listByKind = new Map(
        rest.map((line) => {
          const [kind, items] = line.trim().split(': ');
          return [kind, items!.split(', ')] as const;
        }),
      );
      return {
        name: name!.trim(),
        tools: listByKind.get('tools')!,
        nouns: listByKind.get('nouns')!,
        keys: listByKind.get('keys')!,
        symptoms: listByKind.get('symptoms')!,
        actions: listByKind.get('actions')!,
      };
    });

const topics = parseTopics(`
databases
  tools: postgres, pgbouncer, psql, pg_dump, sqlite, mysql, pg_stat_statements, flyway, pgbadger
  nouns: migration, index, connection pool, transaction, replica, primary key, foreign key, vacuum, query plan,
    schema, row lock, deadlock, sequence, partition, partial index, advisory lock, write-ahead log, tablespace,
    trigger, cursor, prepared statement, materialised view, isolation level, collation, check constraint, standby
  keys: statement_timeout, max_connections, work_mem, lock_timeout, autovacuum_naptime, shared_buffers, search_path,
    idle_in_transaction_session_timeout
  symptoms: the pool runs dry, a query takes a sequential scan, the migration waits for a lock, the replica falls
    behind, inserts fail with a duplicate key, the disk fills with log segments, two transactions block each other
  actions: run the migration by hand, add the index concurrently, raise the pool size, read from the primary, analyse
    the table again, set a lower lock timeout, split the migration in two

ci
  tools: github actions, buildkite, jenkins, circleci, act, actionlint, gitlab runner, danger
  nouns: pipeline, job, runner, build matrix, artifact, workflow, cache key, status check, step, nightly build, merge
    queue, secret, self-hosted runner, release job, test report, coverage gate, required check, concurrency group,
    build badge, checkout
  keys: fail-fast, timeout-minutes, continue-on-error, cancel-in-progress, fetch-depth, restore-keys, max-parallel
  symptoms: the build hangs without output, the cache is never restored, a job is skipped on forks, the runner has no
    disk left, the check stays yellow, the same commit fails on one runner only
  actions: rerun the failed jobs, clear the cache, pin the runner image, split the test job, upload the logs, move the
    secret to the environment

kubernetes
  tools: kubectl, helm, kustomize, k9s, argo, kind, istio, stern
  nouns: pod, deployment, node, ingress, rollout, namespace, readiness probe, service account, config map, daemon set,
    stateful set, persistent volume, sidecar, init container, replica set, memory limit, taint, admission webhook,
    eviction, cron job, horizontal autoscaler, disruption budget
  keys: terminationGracePeriodSeconds, maxUnavailable, imagePullPolicy, resources.limits.memory, preStop,
    minReadySeconds, topologySpreadConstraints
  symptoms: the pod is killed for memory, the rollout never finishes, the probe fails before the app is up, the image
    can not be pulled, requests reach a pod that is gone, the node goes not ready
  actions: drain the node, roll back the deployment, raise the memory limit, scale it to zero first, describe the pod
    and read the events, add a preStop hook

auth
  tools: keycloak, oauth2-proxy, auth0, openssl, passport, dex, vault, jose
  nouns: access token, refresh token, session, cookie, scope, signing key, login, permission, identity provider, role,
    password reset, audience, redirect, consent screen, api key, second factor, service credential, claim, logout, key
    rotation, state parameter, passkey
  keys: SESSION_TTL, sameSite, client_secret, issuer, jwks_uri, OIDC_AUDIENCE, max_age
  symptoms: users are logged out at random, the token is refused as expired, the redirect loops, the signature does
    not verify, the cookie is dropped by Safari, a revoked key still works
  actions: rotate the signing key, allow a minute of clock skew, log the user out everywhere, check the audience
    first, store only the hash, shorten the session

frontend
  tools: react, vite, storybook, tailwind, webpack, eslint, axe, redux
  nouns: component, form, hook, modal, layout, route, state, stylesheet, render, bundle, hydration, focus trap, icon,
    error boundary, date picker, table, design token, effect, dropdown, skeleton, breakpoint, toast, data attribute
  keys: VITE_API_URL, strictMode, z-index, defaultProps, useEffect, manualChunks, aria-live
  symptoms: the page renders twice, the form loses its state, the button does nothing on a slow network, hydration
    fails with a mismatch, the layout jumps when fonts load, the list scrolls back to the top
  actions: memoise the selector, move the state up, load the chart lazily, give each row a stable key, test it with
    the keyboard alone, debounce the input

caching
  tools: redis, memcached, varnish, cloudflare, keydb, caffeine, fastly
  nouns: cache, key, entry, hit rate, expiry, invalidation, stampede, eviction policy, cold start, surrogate key,
    write-through, stale copy, tag, cache header, namespace version, purge, warm-up, local cache, negative entry, slot
  keys: maxmemory-policy, CACHE_TTL, s-maxage, stale-while-revalidate, Vary, maxmemory, lazyfree-lazy-eviction
  symptoms: users see an old price, the hit rate drops to zero, every worker recomputes the same key, the cache is
    full of empty answers, memory grows until keys are evicted, two regions disagree
  actions: put the version into the key, add jitter to the expiry, purge by tag, warm the cache before the switch,
    cache the miss as well, let one worker recompute

queues
  tools: kafka, rabbitmq, sqs, celery, sidekiq, nats, bullmq, debezium
  nouns: consumer, message, topic, offset, dead letter queue, worker, partition, backlog, retry, producer, rebalance,
    acknowledgement, visibility timeout, batch, consumer group, ordering key, poison message, outbox, delivery, lag,
    schema registry, prefetch
  keys: max.poll.interval.ms, enable.auto.commit, prefetch_count, visibility_timeout, acks, max_retries, linger.ms
  symptoms: the backlog grows, a message is delivered twice, the group rebalances in a loop, one bad message blocks
    the partition, the consumer stops without an error, events arrive out of order
  actions: replay the dead letters, make the handler idempotent, commit after the write, add a partition, pause the
    consumer, skip to the newest offset

testing
  tools: vitest, playwright, pytest, testcontainers, fast-check, jest, msw, cypress
  nouns: test, fixture, snapshot, mock, flaky test, assertion, test database, property, coverage, browser test, seed,
    fake clock, golden file, test suite, factory, contract test, timeout, smoke test, shrinking, retry, test runner
  keys: testTimeout, maxWorkers, --runInBand, isolate, retries, TZ, --bail
  symptoms: the suite passes alone and fails together, the snapshot differs on Windows, the test waits for ever, a
    port is already in use, the clock jumps over midnight, the mock is left in place for the next file
  actions: freeze the clock, print the seed, run the suite in random order, give each worker its own schema, delete
    the snapshot, wait for the element rather than sleep

rust
  tools: cargo, clippy, tokio, serde, miri, rustfmt, sqlx, rayon
  nouns: lifetime, trait, borrow checker, crate, future, feature flag, mutex, error type, enum, macro, build script,
    iterator, workspace, channel, closure, panic, unsafe block, trait object, arc, slice, drop order, async runtime
  keys: RUSTFLAGS, opt-level, lto, panic = "abort", RUST_BACKTRACE, codegen-units, target-cpu
  symptoms: the future is not Send, the borrow outlives the guard, the build takes ten minutes after a small change, a
    blocking call stalls the runtime, the feature is on in tests only, the panic crosses the foreign boundary
  actions: clone the handle before the spawn, drop the guard before the await, box the error, move it to its own
    crate, use spawn_blocking, derive it rather than write it

python
  tools: pip, uv, mypy, ruff, poetry, pandas, asyncio, pydantic, numpy
  nouns: virtual environment, wheel, type hint, import, dataclass, generator, event loop, decorator, dependency, lock
    file, context manager, traceback, data frame, interpreter, package index, subprocess, circular import, exception,
    worker, native extension, notebook
  keys: PYTHONPATH, PYTHONUNBUFFERED, requires-python, PYTHONHASHSEED, extra-index-url, asyncio_mode
  symptoms: the import works only from the root, the wheel is built from source, the event loop is already running,
    the frame is copied without a warning, a default list is shared between calls, the subprocess never returns
  actions: pin the interpreter, recreate the environment, type the public functions first, use pathlib, compile the
    requirements again, run it as a module

git
  tools: git, gh, git-lfs, lefthook, git-filter-repo, tig, husky, gitleaks
  nouns: branch, commit, rebase, merge conflict, hook, tag, submodule, worktree, remote, history, cherry-pick, bisect,
    reflog, stash, pull request, blame, shallow clone, changelog, fork, signed commit, squash, large file
  keys: rerere.enabled, core.autocrlf, pull.rebase, fetch.prune, push.autoSetupRemote, merge.conflictStyle
  symptoms: the push is refused, every file shows as changed, the submodule points at a lost commit, the hook does not
    run in a worktree, the clone takes half an hour, a secret is in the history
  actions: rebase onto main, bisect between the two tags, push with a lease, fetch the tags, sign the commit again,
    restore it from the reflog

networking
  tools: nginx, envoy, tcpdump, curl, haproxy, dig, wireguard, mtr, wireshark
  nouns: timeout, load balancer, certificate, dns record, proxy, keep-alive, port, firewall rule, handshake, header,
    upstream, packet, subnet, tunnel, connection reset, mtu, health check, socket, route, rate limit, http/2 stream,
    nat gateway
  keys: proxy_read_timeout, keepalive_timeout, X-Forwarded-For, ndots, tcp_keepalive_time, client_max_body_size
  symptoms: the connection is reset after a minute, names resolve slowly, large uploads are cut off, the handshake
    fails on old clients, half of the packets are lost in the tunnel, the health check flaps
  actions: lower the mtu, renew the certificate, trust the forwarded header from the proxy only, capture the traffic,
    set the keep-alive below the balancer's, flush the resolver

docker
  tools: docker, buildx, compose, podman, dive, trivy, hadolint, containerd
  nouns: image, layer, container, build cache, base image, volume, entrypoint, multi-stage build, digest, registry,
    bind mount, health check, platform, build context, user, label, signal, network, build secret, tag
  keys: COPY --from, --cache-to, STOPSIGNAL, DOCKER_BUILDKIT, .dockerignore, mem_limit, --init
  symptoms: the image is two gigabytes, the container ignores the stop signal, files are owned by root, the layer
    cache is never used, it runs on the laptop and not on arm, the volume hides the new files
  actions: copy the lock file first, run as a user without rights, pin the base image by digest, add an init process,
    mount the secret at build time, leave the tests out of the context

observability
  tools: prometheus, grafana, loki, opentelemetry, sentry, jaeger, datadog, vector
  nouns: metric, dashboard, alert, log line, trace, span, label, histogram, sampling, error budget, retention, log
    level, exporter, cardinality, correlation id, percentile, heartbeat, on-call rotation, recording rule, annotation
  keys: scrape_interval, OTEL_SERVICE_NAME, trace_id, LOG_LEVEL, tracesSampleRate, for, retention_period
  symptoms: the alert fires and nobody can act on it, traces end at the gateway, the dashboard shows no data, one
    label has a million values, the logs of the crash are missing, the percentile is an average of averages
  actions: drop the label, alert on the symptom, sample the successful traces, log it once at the edge, pass the trace
    header on, keep the raw histogram

typescript
  tools: tsc, esbuild, biome, zod, tsx, node, pnpm, type-fest
  nouns: type guard, generic, union, module resolution, declaration file, strict mode, enum, import, decorator,
    promise, overload, narrowing, build target, source map, inference, branded type, schema, path alias, index
    signature, project reference, assertion
  keys: noUncheckedIndexedAccess, moduleResolution, esModuleInterop, verbatimModuleSyntax, skipLibCheck,
    isolatedModules
  symptoms: the type is any after an update, the import needs an extension, the union is not narrowed, the emitted
    file has no default export, the editor and the build disagree, a rejected promise is not awaited
  actions: parse it at the boundary, narrow on the tag, turn on the strict flag, type the return value, replace the
    enum with a union, import the type only

payments
  tools: stripe, adyen, ledger-cli, plaid, paypal, mollie, braintree
  nouns: invoice, refund, charge, ledger entry, idempotency key, webhook, subscription, currency, chargeback, balance,
    settlement, card, tax rate, receipt, mandate, proration, payout, reconciliation, exchange rate, trial, rounding
  keys: Idempotency-Key, webhook_secret, application_fee, capture_method, cents, STRIPE_API_VERSION
  symptoms: a customer is charged twice, the totals differ by a cent, the webhook comes before the answer, the refund
    stays pending, the payout does not match the ledger, a card is declined without a reason
  actions: keep amounts as integers, store the raw webhook, reconcile with the provider's report, reverse the entry,
    send the same idempotency key again, book the fee by itself

search
  tools: elasticsearch, fts5, meilisearch, lucene, opensearch, tantivy, solr
  nouns: index, query, ranking, analyser, synonym, token, facet, relevance, shard, stemmer, snippet, stop word,
    mapping, reindex, score, embedding, filter, typo tolerance, alias, recall, boost, posting list
  keys: number_of_shards, refresh_interval, minimum_should_match, max_result_window, bm25, tokenize
  symptoms: an exact title is not the first hit, accents are not folded, deep pages time out, a new document shows up
    late, the phrase matches across fields, the score changes with the shard
  actions: switch the alias, rebuild the index from the source, boost the title, measure it on the judged queries,
    fold the case before the stemmer, break ties by id

storage
  tools: s3, minio, rclone, restic, ceph, zfs, rsync, borg
  nouns: bucket, object, upload, backup, snapshot, lifecycle rule, checksum, part, volume, prefix, presigned url,
    restore, inode, quota, archive, versioning, disk, replication, file handle, block size, retention
  keys: x-amz-acl, multipart_threshold, recordsize, --checksum, max-age, noatime
  symptoms: the upload stops at five gigabytes, the restore is missing a day, the disk has no inodes left, the listing
    is slow, the checksum differs after the copy, deleted files still cost money
  actions: test the restore, abort old uploads, verify the checksum on read, move cold objects to the archive, write
    to a temporary name and rename, list by prefix

api
  tools: openapi, graphql, grpc, postman, fastify, express, protobuf, apollo
  nouns: endpoint, response, request body, version, pagination, error code, rate limit, cursor, schema, client,
    resolver, status code, breaking change, deprecation, header, mutation, bulk request, content type, query
    parameter, contract, field mask, generated client
  keys: Retry-After, page_size, Accept-Version, deadline, max_depth, Content-Type, If-Match
  symptoms: clients retry a bad request, a page is skipped when rows are deleted, the enum breaks old clients, the
    resolver makes a query per row, the error says only internal, an empty list comes back as null
  actions: page by cursor, return the conflict with both versions, deprecate the field first, batch the lookups,
    answer with a problem document, version the event and not the path

mobile
  tools: xcode, gradle, fastlane, react native, expo, swiftlint, firebase, detekt
  nouns: release, push notification, deep link, permission, app store review, emulator, build number, crash report,
    background task, screen, offline mode, keychain, provisioning profile, gesture, feature flag, splash screen,
    locale, battery use, over-the-air update, minimum version
  keys: versionCode, minSdkVersion, UIBackgroundModes, aps-environment, enableProguard, CFBundleVersion
  symptoms: the app crashes on start on old phones, the link opens the browser, the notification comes twice, the
    keyboard covers the field, the build is rejected for a missing text, the list stutters on android
  actions: raise the build number, test on a real device, keep the draft on the phone, ask for the permission later,
    ship it behind a flag, symbolicate the crash

build
  tools: bazel, make, cmake, nx, turborepo, gradle, ninja, ccache
  nouns: target, dependency, lock file, toolchain, compiler flag, remote cache, package, generated code, monorepo,
    version, release, linker, header, incremental build, artifact, workspace, plugin, sandbox, peer dependency,
    checksum
  keys: --jobs, BUILD_TYPE, cacheDirectory, --frozen-lockfile, SOURCE_DATE_EPOCH, -Werror
  symptoms: a clean build differs from an incremental one, two versions of a package are installed, the linker runs
    out of memory, the remote cache is missed every time, generated files are out of date
  actions: delete the build folder, pin the toolchain, declare the missing input, build it in the sandbox, install
    from the lock file, bump one dependency at a time

terraform
  tools: terraform, terragrunt, pulumi, aws cli, ansible, tflint, packer, atlantis
  nouns: plan, state file, module, provider, drift, resource, workspace, variable, iam role, backend, state lock,
    import, output, security group, tag, bastion, data source, policy, account, region, instance type
  keys: prevent_destroy, ignore_changes, required_version, for_each, depends_on, assume_role
  symptoms: the plan wants to replace the database, the state is locked, the apply stops half-way, the plan shows a
    change on every run, a role can not be assumed, the module version is ignored
  actions: import the resource, read the plan twice, move the state, unlock it by id, apply with a target, tag
    everything with its owner

pipelines
  tools: airflow, spark, dbt, snowflake, duckdb, bigquery, parquet, dagster
  nouns: pipeline, table, backfill, partition, schedule, column, join, model, late event, row count, watermark,
    source, data type, dedup, warehouse, freshness check, task, shuffle, lineage, export, time zone, skew
  keys: catchup, partition_by, unique_key, spark.sql.shuffle.partitions, max_active_runs, incremental_strategy
  symptoms: the join doubles the rows, the nightly run is late, one key holds half of the data, the column is a string
    since yesterday, the backfill overwrites today, numbers differ from the report
  actions: backfill one day at a time, count the rows on both sides, keep times in utc, salt the skewed key, make the
    task idempotent, test the model on a sample

email
  tools: postfix, sendgrid, mailhog, ses, mjml, rspamd, mailgun
  nouns: bounce, template, sender, spf record, unsubscribe link, attachment, spam score, digest, inbox, delivery,
    subject, dkim signature, complaint rate, reply address, preview text, suppression list, campaign, mailbox, alias
  keys: List-Unsubscribe, Return-Path, MAIL_FROM, Message-ID, v=spf1, quarantine
  symptoms: mails land in spam, the digest is sent twice, the template breaks in outlook, bounces are ignored, the
    link is opened by a scanner, the attachment is too large
  actions: warm up the address, sign with the second key, render it as plain text too, honour the suppression list,
    send it from a queue, preview it in mailhog

performance
  tools: perf, flamegraph, k6, valgrind, hyperfine, lighthouse, pprof, wrk
  nouns: profile, allocation, latency, throughput, garbage collection, hot loop, benchmark, memory leak, thread pool,
    lock contention, batch size, tail latency, start-up time, bundle size, cpu limit, load test, buffer, heap dump,
    warm-up, regression
  keys: GOMAXPROCS, --max-old-space-size, UV_THREADPOOL_SIZE, sampling_rate, batch_size, NODE_OPTIONS
  symptoms: memory grows by a little each hour, the tail gets worse under load, one core is busy and the rest idle,
    the first request takes seconds, the collector runs all the time, the benchmark varies by a third
  actions: profile before you change it, reuse the buffer, measure it on a quiet machine, take two heap dumps, batch
    the writes, compare the medians

go
  tools: go, golangci-lint, delve, sqlc, gin, cobra, wire, goreleaser
  nouns: goroutine, channel, context, interface, error wrapping, slice, module, mutex, struct tag, race detector,
    defer, nil map, wait group, build tag, generics, timeout, select, table test, vendoring, pointer receiver
  keys: GOFLAGS, GOPROXY, CGO_ENABLED, GOMEMLIMIT, -race, replace
  symptoms: the goroutine leaks, the interface holds a nil pointer, the loop variable is shared, the context is
    cancelled too early, a map is written from two goroutines, the binary needs glibc
  actions: pass the context on, wrap the error with the id, close the channel in the sender, run it with -race, copy
    the slice before the append, return early
`);
// Below everything that it names: templates are parsed as the module loads.
const sentences = templates(`
  {the noun} in {service} became {adj}, and that explains why {symptom}.
  We {verb} {the noun} in {symbol} before {the other} is touched, because {reason}.
  When {symptom}, look at {key} first.
  If {symptom}, it {adv} comes from {the other}.
  {path} sets {key} to {many}; with the default {service} falls over.
  {the thing} for {the noun} lives in {path}.
  {symbol} takes {the noun} from {the other}, so keep {the thing} {adj}.
  To {action} does not help: {the other} keeps its own {thing} for {time}.
  This only happens in {env}, with {a adj} {noun}.
  We tried to {action} and it made no difference, since {reason}.
  The {team} wants {the noun} to stay {adj} until they can {verb} {the thing}.
  Since {tool} {version} we {adv} get {a adj} {noun}, which we did not expect.
  {error} means {a adj} {noun} at the time of the call.
  There are {few} places that {verb} {the noun}, and only {symbol} has a test.
  Do not {verb} {the noun} from {symbol}: {reason}.
  The limit is {many} per {thing}, and {service} gets {percent} of it.
  In {env} {the noun} takes {time}; on a laptop, a moment.
  {service} talks to {the other} through {symbol}, {adv} by way of {a adj} {thing}.
  As far as we know {symptom} only {when}.
  The fix was to {action} and to leave {the other} as it is.
  One {noun} for each {thing} would be simpler, but {reason}.
  Most of the time goes to {symbol}, {percent} of it on {the noun}.
  {the other} decides, not {the noun}.
  Both {service} and {the thing} read {key} from the environment at start, so a change of it needs a restart.
  For {a adj} {noun} use {symbol}; for the rest {tool} will do.
  {the noun} has no owner at the moment; ask {person} or the {team}.
  You can see it in the logs as {error}, about {many} times a day.
  Have {the noun} {adj} by the time {symbol} runs, or {symptom}.
  {tool} does the same as {symbol} here, with {a adj} {thing} and without {the other}.
  Without {key} you get {a adj} {noun}, and nothing in the output says so.
  {a adj} {noun} stays for {time}; then {path} drops it.
  We chose {tool} over {the other} because {reason}.
  With {tool} {version} we had to {action}; see {ticket}.
  {the thing} promises {a adj} {noun}, but {symbol} does not check it.
  To be on the safe side, {action} and then {action}.
  What looks like {a adj} {noun} turns out to be {the other} of {service}.
  {person} found that {symptom} if {the thing} has more than {many} rows.
  There is {a adj} {thing} around {symbol} that will go away with {ticket}.
  Each {noun} gets its own {thing}, at most {few} at a time.
  {service} still uses the old {noun}, so we can not remove it yet.
  {symptom} because {reason}, and {the noun} makes it worse.
  The order is {noun}, then {other}, then {thing}; the other way round {symptom}.
  On {env} we see {percent} fewer of these with {a adj} {noun}.
  The same goes for {symbol} and for all that calls it.
  {symbol} treats {a noun} older than {time} as {adj}.
  Nobody should have to {verb} {the noun} by hand; {path} does it.
  An earlier version of this note said to {action}, which is wrong.
  {the noun} of {service} listens on port {port} of {host}.
  We keep {few} copies of it; trust {the thing}.
  {customer} runs into this more than anyone else, with {many} of them.
  {the thing} for {customer} differs: {a coined} {noun} and {few} of {the other}.
  {verbing} {the noun} costs {time}, {verbing} {the other} nothing.
  Think of it as {a coined} {thing} around {the noun}.
  After {verbing} {the noun}, {service} went from {many} to {many} per second.
  The word "{coined}" in {path} stands for {a adj} {noun}.
  At {many} requests per minute all goes well, at twice that {symptom}.
  {key} and {key} have to agree with each other.
  It was {adj} from the start and no one noticed, as {tool} said nothing about {the noun}.
  All {few} workers share {the noun}; {symbol} hands it out.
  If you have to change it, {action} in the same commit.
  Commit {commit} has {the thing} and the reason for it.
  Not every {noun} needs this: the {adj} ones are left to {the other}.
  They {verb} {the noun} for us and send {the thing} to {service} by the end of the day.
  We do not {verb} it at all with {a adj} {other}.
  By default {tool} will {verb} {the noun}, and {key} turns that off.
  Its test sits in {path}, next to the one of {the other}.
`);
const sentencesOf = {
  procedural: templates(`
    Before you start, look for {a adj} {noun}.
    First {action}, then wait for {time} until {the other} catches up.
    Run it from the root of the repository, with {key} set.
    To {action} you need access to {service}; the {team} can give it to you.
    Afterwards {verb} {the thing} and check that {symbol} still answers.
    If it fails with {error}, {action} and try again.
    This takes about {time} for {many} rows.
    Never {verb} {the noun} while {service} runs.
    The same steps work in {env}, except that you have to {action} at the end.
    When in doubt, ask {person} before you {verb} {the noun}.
    Doing this twice does no harm.
    Go through {path} line by line and {verb} each {noun} in it.
    A dry run prints what it would {verb}, and changes nothing.`),
  semantic: templates(`
    The rule is: one {noun} for each {thing}, and no {other} in between.
    {service} owns {the noun}; all the others only read it.
    {symbol} is the one place that knows about {the noun}.
    We decided on {date} to {action}, for the reason that {reason}.
    The alternative was to {action}, and we would look at it again if {the noun} grows past {many}.
    Whether {a noun} counts as {adj} is up to {symbol}.
    {the noun} and {the other} are two names for the same {thing}.
    This holds for {tool} {version} and later.
    It costs us {a adj} {thing}, which nobody minds.
    All of {the noun} code lives under {path}.
    By convention we {verb} {the noun} as late as possible.
    {key} is {many} by design, not by accident.`),
  episodic: templates(`
    At first it looked like {the noun}, but the logs of {service} showed {error}.
    {person} saw on {date} that {symptom}.
    The cause was in {path}: {reason}.
    It took {time} to find, because {symptom} only {when}.
    In the end we had to {action} on {host}.
    {few} of {few} workers were affected, and {many} requests failed.
    We went back to {commit} and {the noun} was fine again.
    After that we could {action} and close {ticket}.
    Next time, {action} before anything else.
    What was left to do at the end of the session: {action}, and tell the {team} about {the noun}.
    It was {symbol} that did it, and it had been {adj} since {version}.
    A bisect between {commit} and {commit} led to a change of {the thing}.
    I was not able to see it in {env}.`),
};
const bullets = templates(`
  {key}: {a adj} {thing} for {the noun}
  {symbol} in {path}
  {a adj} {noun} on {env}
  {error} from {a adj} {other}
  not {the noun}: {reason}
  {tool} {version} or later
  {service} needs {few} of them, {time} apart
  {action} when {symptom}
  never {verb} {the noun} by hand
  {symptom}: {action}
  {ticket} for {the thing}, with {person}
  {percent} of {the noun} traffic comes from {service}
  {the thing} of {the other}: {path}
  at most {many} per {noun}
  {symbol}: called once for each {noun}
  no {other} without {a thing}
  {host} on port {port}
`);
const steps = templates(`
  {action}.
  Open {path} and set {key} to {many}.
  Wait up to {time} for {the noun}.
  Run {symbol} with {the noun} of {service}.
  Check that {tool} shows no {adj} {other}.
  {verb} {the noun}, then {verb} {the other}.
  If {symptom}, go back to the first step.
  Tell the {team} and write it into {ticket}.
  Look at {service} for {time}.
  Compare {the thing} with the one in {env}.
  Log in to {host} and {verb} {the noun}.
  Commit the change in {path}.
`);
const listOpenings = templates(`
  What we know about {the noun}:
  Things to keep in mind:
  The parts of it:
  In short:
  How to do it:
  To be checked when {symptom}:
  What {service} expects of {the noun}:
  The order matters:
  This is what came out of {ticket}:
`);
const headings = templates(`
  why
  how to check
  what went wrong
  {the noun}
  open questions
  {service} and {the other}
  what is left
  background
  limits
`);
const titles = {
  procedural: templates(`
    how to {ownAction}
    how to {verb} the {ownNoun} of {ownService}
    what to do when {ownSymptom}
    {ownAction} before you {verb} the {ownNoun}
    runbook: {ownSymptom}
    {ownTool}: steps to {verb} {a ownNoun}
    always {ownAction} in {ownService}
    set {ownKey} for the {ownNoun}`),
  semantic: templates(`
    the {ownNoun} of {ownService} is {adj}
    {ownService} uses {ownTool} for the {ownNoun}
    why we {verb} the {ownNoun} in {ownSymbol}
    {ownKey} must be {many} for the {ownNoun}
    {ownSymbol} owns the {ownNoun}
    one {ownNoun} per {thing}, and never {a adj} one
    decision: {ownAction}
    {ownTool} and the {ownNoun}: what {ownService} relies on
    where the {ownNoun} lives`),
  episodic: templates(`
    {ownSymptom} {when}
    incident on {date}: {ownSymptom}
    {ownService}: {ownSymptom}, fixed in {version}
    debugging the {ownNoun} with {person}
    session: {ownAction} for {ownService}
    {ownSymbol} failed with {rawError}
    upgrade of {ownTool} to {version} and the {ownNoun}`),
};
/** Paragraphs of a language and the code. */
const codeBlocks = `
sh
{tool} {verb} --{thing}={many} {rawPath}
export {rawKey}={many}

console
$ {tool} {verb} {rawPath}
{rawError}
$ echo $?
{few}

ts
// {rawError} without this
const { {thing} } = await {rawSymbol}({ {verb}: true, limit: {many} });
await {rawSymbol}({ limit: {few} });

yaml
{thing}:
  name: {service}
  {verb}: {many}
  # {reason}
  image: registry.internal/{service}:{version}

json
{ "name": "{service}", "version": "{version}", "{thing}": { "{verb}": {many} } }

sql
SELECT {thing}_id, count(*) FROM {verb}_{thing}
WHERE created_at > now() - interval '{time}' GROUP BY 1 LIMIT {many};

text
{date}T08:14:07Z ERROR {service} {rawSymbol}: {rawError}
    at {rawSymbol} ({rawPath}:{many})
    at {rawSymbol} ({rawPath}:{many})

text
{date} WARN {host} {rawError} trace={commit}{commit}

py
with {rawSymbol}({thing}={many}) as found:
    assert found.{thing} != {few}, "{rawError}"

diff
-  replicas: {few}
+  replicas: {few}  # {ticket}
`
  .trim()
  .split('\n\n')
  .map((block) => parseTemplate(`\`\`\`${block}\n\`\`\``));
const questions = templates(`
  how do we {ownAction}
  what should I do when {ownSymptom}
  why is the {ownNoun} in {ownService} {adj}
  how can I {verb} the {ownNoun} without a restart
  where is the {ownNoun} of {ownService} set
  what is the right value of {ownKey} for the {ownNoun}
  why does {ownTool} {verb} the {ownNoun}
  is it safe to {ownAction}
  what did we decide about the {ownNoun} and {ownTool}
  who owns the {ownNoun} in {ownService}
  which version of {ownTool} works with our {ownNoun}
  how long does the {ownNoun} have to be {adj}
  what does {ownSymbol} do with the {ownNoun}
  why did we {ownAction}
  what is the cause if {ownSymptom}
  have we seen before that {ownSymptom}
  do I have to {ownAction}
  how was it fixed when {ownSymptom}
  when do we need to {verb} the {ownNoun} with {ownTool}
`);
const questionTails = templates(`
  here
  again
  by hand
  in {ownService}
  with {ownTool}
  in production
  in this project
  for the tests
  after the upgrade
  when {ownSymptom}
  since the last release
  when it is under load
  on the staging machines at night
  before we can deploy it again
  if we do not want a restart
  without a change to the {ownNoun} itself
  when there is more than one of them
`);
