/** Stop words, denials and synonyms. English except for denials: in other languages every word counts. Plain data. */

const listOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Function words, and what people say around a rule without changing it. */
export const stopWords: ReadonlySet<string> = new Set(
  listOf(`a about actually after again all also although am an and any anyway are as at back basically be because been
  before being both but by can could currently did do does doing done each either else even ever every few first for
  from further generally going had has have having he her here him his how however i if in into is it its itself just
  kindly like may maybe me might more most much must my myself now of off ok okay on once only or other otherwise our
  ours out over own per please probably rather really same shall she should simply since so some such sure than that the
  their them then there these they this those though through thus to too under until up upon us usually very was we well
  were what when where whether which while who whom whose why will with within would yes yet you your yours always
  instead remember note ensure make let lets need want wants prefer prefers preferred like use uses used using user
  utilise utilize run runs running execute executes go goes choose chose chosen pick keep decide decided switch switched
  move moved migrate migrated new old project repo repository`),
);

export const negations: ReadonlySet<string> = new Set(
  listOf(`not no never none neither nor without avoid stop dont cannot nothing nobody
  nicht nie niemals kein keine keinen keinem keiner ohne pas jamais nunca jamás`),
);

/** Opposites and forms of a word, mapped to that word; `isOpposite` tells which of them deny it. */
export const opposites: ReadonlyMap<string, string> = new Map([
  ['disable', 'enable'],
  ['disabled', 'enable'],
  ['disables', 'enable'],
  ['enabled', 'enable'],
  ['enables', 'enable'],
  ['forbid', 'allow'],
  ['forbidden', 'allow'],
  ['disallow', 'allow'],
  ['disallowed', 'allow'],
  ['allowed', 'allow'],
  ['optional', 'required'],
  ['exclude', 'include'],
  ['excluded', 'include'],
  ['included', 'include'],
]);

export const isOpposite = (word: string): boolean => /^(?:dis|forbid|exclu|optional)/.test(word) && opposites.has(word);

export const synonyms: ReadonlyMap<string, string> = new Map([
  ['directory', 'folder'],
  ['directories', 'folder'],
  ['dir', 'folder'],
  ['db', 'database'],
  ['config', 'configuration'],
  ['deps', 'dependency'],
  ['env', 'environment'],
  ['prod', 'production'],
  ['docs', 'documentation'],
  ['doc', 'documentation'],
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['postgres', 'postgresql'],
  ['k8s', 'kubernetes'],
  ['repos', 'repository'],
  ['args', 'argument'],
  ['params', 'parameter'],
  ['colour', 'color'],
]);

/** A word after one of these is a choice; elsewhere another word means another subject. */
export const choiceCues: ReadonlySet<string> = new Set(
  listOf(`use uses used using prefer prefers choose chose pick with via by is are be was in into on onto to called named
  as through target targets switch adopt keep from at say says speak write return returns`),
);

export const articles: ReadonlySet<string> = new Set(listOf('a an the our my your its this that new always only'));
