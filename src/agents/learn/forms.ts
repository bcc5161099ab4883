/** Patterns for the beginning of a sentence (within one it is reported), in lower case, with straight apostrophes. */
export type LanguageForms = {
  /** Said before what matters. */
  readonly lead: string;
  /** "always", "never", "from now on". */
  readonly rule: string;
  /** "remember that". The group `drop` is left out of the lesson. */
  readonly keep: string;
  /** "we use X, not Y", "we decided". */
  readonly choice: string;
  /** "we do X because Y". */
  readonly reason: string;
  /** "no, ". It sets the agent right if a rule, a choice or a correction follows: "use X", "the port is". */
  readonly denial: string;
  readonly correction: string;
  /** Anywhere in the sentence: it holds only this once, or reports. */
  readonly once: string;
};

const english: LanguageForms = {
  lead: '(?:ok|okay|please|also|and|so|but|hey|actually|by the way|btw|important|one more thing)(?:[,:]| -)? ',
  rule:
    '(?:from now on|going forward|in (?:the )?future|as a rule|by default),? (?!i |it )[a-z]|' +
    '(?:(?:we|you) (?:(?:should|must|have to|need to) )?)?(?:always|never) (?!mind|been|had|got|saw|was|were|knew|again|before|once|the |an? |\\w+(?:[^s]s|[^e]ed) )[a-z]+ .|' +
    "(?:do not|don't) ever |(?:we|i) never want |i (?:always )?want (?:you to )?(?:always|never) ",
  keep: '(?<drop>(?:remember|keep in mind|bear in mind|for the record|note for later)(?! (?:when|how|what|why|who|the time|me))(?: that|:|,)? )',
  choice:
    '(?:here )?(?:we(?: only| now)? (?:use|deploy|run|write|name|store|keep|put|ship|test|build|release)|use|run|import|write|name|store|put|prefer) .+(?:, not | instead of | rather than |, never | over )|' +
    "we(?:'ve| have)? (?:decided|agreed|settled|standardi[sz]ed) ",
  reason:
    "(?:we (?:only )?(?:use|keep|avoid|prefer|chose|pin|don't|do not|store|run|deploy|build|write|test|ship)|use|keep|avoid|prefer|pin|don't|do not) .+ because ",
  denial: '(?:no|nope|wrong)[,:.!] ',
  correction:
    "(?:(?:use|run|put|name|call|import|write) (?!it |that |this |them )|(?:the|our) .+ (?:is|are|lives?|runs?|goes|belongs?) |we |it's called )",
  once: 'for now|this time|right now|just once|today|tomorrow|tonight|for the moment|in this (?:pr|commit|branch|session|task)|still|yet|anymore|i think|maybe|not sure',
};

const german: LanguageForms = {
  lead: '(?:bitte|also|ok|okay|und|aber|übrigens|wichtig|hey|ach ja)[,:]? ',
  rule:
    '(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft|grundsätzlich|standardmäßig),? (?!ist |geht )\\p{L}|' +
    '(?:immer|nie|niemals) (?!wieder|noch|mehr|das|die|der|dieser|ist|war|geht|gesehen|gehört)\\p{L}+ .|' +
    '(?:verwende|nutze|benutze|nimm|schreibe?|mache?|führe?|committe|pushe|lösche?|teste|starte|lass|frage?|ändere|lege?|prüfe?|halte?|baue?|merge|setze?) (?:.{1,60} )?(?:immer|nie|niemals)[ ,]|' +
    'wir (?!haben|hatten|waren|sind|kommen|sehen|bekommen)\\p{L}+en (?:.{1,40} )?(?:immer(?! (?:noch|wieder))|nie|niemals) ',
  keep: '(?<drop>(?:merke? dir|merken|denke? (?:immer )?daran|denk dran|zur erinnerung|vergiss nicht|nicht vergessen|notiere?(?: dir)?)(?:,? dass|[,:])? )',
  choice:
    '(?:(?:hier )?wir (?!haben|hatten|waren|sind)\\p{L}+en|hier \\p{L}+en wir|verwende|nutze|nimm|benutze|schreibe?) .+(?:, nicht |,? statt |,? anstatt |,? anstelle |, keine?n? )|' +
    'wir haben (?:uns )?(?:.{1,80} )?(?:entschieden|beschlossen|geeinigt|festgelegt)',
  reason:
    '(?:wir (?!haben|hatten|waren|sind|kommen|bekommen|sehen)\\p{L}+en|verwende|nutze|nimm|benutze) .+,? (?:weil|da|denn) ',
  denial: '(?:nein|nee|falsch)[,:.!] ',
  correction:
    '(?:(?:nimm|verwende|nutze|benutze|schreibe?) (?!es |das hier)|(?:der|die|das|unsere?) .+ (?:ist|heißt|liegt|läuft|gehört|kommt) |wir )',
  once: 'diesmal|dieses mal|vorerst|erst ?mal|momentan|gerade|(?<!ab )heute|morgen|fürs erste|noch (?:nicht|immer)|immer (?:noch|wieder)|schon wieder|glaube ich|vielleicht',
};

const french: LanguageForms = {
  lead: "(?:s'il (?:te|vous) plaît|stp|merci|ok|alors|et|mais|au fait|important)(?: ?[,:])? ",
  rule:
    "(?:désormais|dorénavant|à partir de (?:maintenant|d'aujourd'hui)|à l'avenir|par défaut|en règle générale),? (?!ça |c'est )\\p{L}|" +
    "(?:toujours|jamais) (?!pareil|la même|le même|rien|vu|eu)\\p{L}+ .|(?:ne |n')\\p{L}+ (?:jamais|plus jamais) .|(?:il (?:ne )?faut|(?:on|nous) (?:ne |n')?(?!est|a |avons|avait)\\p{L}+) (?:toujours|jamais) .|" +
    '(?:utilise|lance|écri|ajoute|fai|met|vérifie|exécute|demande|garde|teste|commence|préfère|passe|crée|nomme)\\p{L}* (?:.{1,30} )?toujours ',
  keep: "(?<drop>(?:retiens|retenez|souviens-toi|souvenez-vous|rappelle-toi|n'oublie[zs]? pas|note[zs]?(?: bien)?|garde en tête|pour mémoire|à retenir)(?: que| qu'| :|[,:]| de)? ?)",
  choice:
    '(?:(?:ici,? )?(?:on|nous) (?!a |avons)\\p{L}+|utilise[zr]?|prends|prenez|mets|mettez|écris) .+(?:, pas |,? et non |,? plutôt qu|,? au lieu d|, jamais )|(?:on a|nous avons) (?:décidé|choisi|convenu|opté|adopté) ',
  reason:
    "(?:(?:on|nous) (?!a |avons|avait)(?:n')?\\p{L}+|utilise[zr]?|évite[zr]?|garde[zr]?) .+ (?:parce qu|car |puisqu)",
  denial: 'non ?[,:.!] ',
  correction:
    "(?:(?:utilise|prends|mets|écris)\\p{L}* (?!ça|cela)|(?:les?|la|notre|nos|l'\\p{L}+) .+ (?:est|sont|s'appelle|se trouve|tourne|va) |(?:on|nous) )",
  once: "cette fois|pour l'instant|pour le moment|aujourd'hui|demain|provisoirement|encore|peut-être|je crois",
};

const spanish: LanguageForms = {
  lead: '(?:por favor|vale|ok|y|pero|oye|por cierto|importante)[,:]? ',
  rule:
    '(?:de ahora en adelante|a partir de ahora|desde ahora|en adelante|en el futuro|por defecto|por norma|como regla general),? (?!se |es )\\p{L}|' +
    '(?:siempre|nunca|jamás) (?!es |está|ha |he |hay|había|falla|funciona|pasa|lo mismo|igual|más|la |el )\\p{L}+ .|' +
    '(?:usa|utiliza|haz|pon|escribe|ejecuta|comprueba|pregunta|añade|guarda|prueba|crea|empieza) (?:.{1,30} )?siempre |no \\p{L}+ (?:nunca|jamás) |(?:hay que(?: \\p{L}+)?|(?:aquí )?\\p{L}+[aei]mos) (?:siempre|nunca) ',
  keep: '(?<drop>(?:recuerda|recordad|recuerde|ten en cuenta|no olvides|no te olvides de|apunta|anota|acuérdate de)(?! (?:cuándo|cómo|qué|cuando))(?: que|[,:])? )',
  choice:
    '(?:(?:aquí )?(?:nosotros )?\\p{L}+[aei]mos|usa|utiliza|pon|haz|escribe) .+(?:, no |,? en (?:vez|lugar) de |, nunca )|(?:hemos )?(?:decidi(?:do|mos)|acorda(?:do|mos)|elegi(?:do|mos)|optamos) ',
  reason:
    '(?:(?:aquí )?(?:no )?(?:usa|utiliza|guarda|evita|prefer|manten|desplega|prob|ejecuta|escrib|fija)\\p{L}*|usa|evita) .+ (?:porque|ya que) ',
  denial: 'no[,:.!] ',
  correction:
    '(?:(?:usa|utiliza|pon|escribe) (?!eso|esto)|(?:el|la|los|las|nuestr\\p{L}+) .+ (?:es|son|está|están|se llama|corre|va) |\\p{L}+[aei]mos )',
  once: 'esta vez|por ahora|de momento|por el momento|hoy|mañana|todavía|aún|otra vez|sigue|siguen|creo que|quizás?',
};

const chinese: LanguageForms = {
  lead: '(?:请|好的?|另外|对了|顺便说一下|重要)[,，:：]? ?',
  rule:
    '(?:从现在(?:开始|起)|从今(?:以后|往后|天起)|今后|以后(?!再)|默认(?:情况下)?|原则上)[,，]?.{4}|' +
    '(?:我们|你)?(?:始终|总是(?!出现|失败|报错)|一律|从不|必须总是).{3}|.{0,16}(?:永远(?!都?是)|绝不|绝对不(?:要|能)|决不|务必|切勿|千万(?:不要|别)).{3}|每次.{1,20}(?:都要|都必须|必须|之前|前都?)',
  keep: '(?<drop>(?:记住|记得(?!吗|上次|之前)|备忘|别忘了|不要忘记)[,，:：]?)',
  choice:
    '(?:我们|这里|本项目|这个项目)?(?:只?用|使用|采用|统一用).+(?:[,，]?(?:而)?不(?:是|用|要用|使用)|[,，]别用|代替|取代|而非)|.{1,16}用.+[,，]而不是|(?:我们|团队)(?:已经)?(?:决定|约定|商定)',
  reason:
    '(?:我们|这里|本项目)(?:只?用|使用|采用|保留|避免|不用|选|固定).+(?:因为|由于)|因为.+所以我们(?:用|使用|不用|不)',
  denial: '(?:不|不对|不是|错了)[,，。!！] ?',
  correction: '(?:应该|要用|用|我们|[^，,。]{2,12}(?:是|在|叫))',
  once: '这次|这一次|暂时|目前|今天|明天|先这样|还是|又|可能|也许|吗',
};

const japanese: LanguageForms = {
  lead: '(?:はい|あと|それと|ちなみに|重要)[、,:：]? ?',
  rule:
    '(?:今後|これから|以後|次回から|デフォルトで|原則として)は?[、,]?.+(?:ください|下さい|こと|します|しない|使う|にする)|' +
    '.{0,40}(?:常に|必ず|絶対に|決して|いつも).+(?:ください|下さい|こと|しないで|してね|するな|禁止|使う|する)[。.!！]?$',
  keep: '(?<drop>(?:覚えて(?:おいて)?(?:ください|ね)?|忘れないで(?:ください)?|メモ|念のため)[、,:：。])|.{6,}(?:を|と|ことを?|のを)(?:覚えておいて|覚えて|忘れないで)(?:ください|下さい|ね)?[。!！]?$',
  choice:
    '.{2,120}(?:ではなく|じゃなくて?|の代わりに).{1,120}(?:使|採用|統一|書|実行|置|デプロイ|する|します)|.{4,}に(?:決めました|決めた|統一します|統一する|しました)[。]?$',
  reason: '(?:うち|このプロジェクト|このリポジトリ|私たち|我々|ここ)では?.+(?:ので|から|ため)[、,]',
  denial: '(?:いいえ|いや|違います|違う)[、,。!！] ?',
  correction: '.+(?:です|ください|使って|してね)[。!！]?$',
  once: '今回|とりあえず|一旦|いったん|今日|明日|今のところ|まだ|また|かもしれ|と思う|でしょうか',
};

export const languages: readonly LanguageForms[] = [english, german, french, spanish, chinese, japanese];
