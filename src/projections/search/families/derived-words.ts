/** English verbs and adjectives with words derived from them that have another stem. Pure. */

/**
 * `y ial: bur den` is two families, `bury burial, deny denial`; `-` means no ending. "older" and "newer" are left out:
 * "the old one" and "the new one" compare nothing.
 */
export const derivedWords = `
  absorb absorption, acquire acquisition, add addition, advise advice, angry anger, argue argument, bear born birth,
  believe belief, broad breadth, certain certainty, choose choice, connect reconnect, compare comparison, compete
  competition, comply compliance compliant, day daily, dead death, deep depth, defend defense defence, define
  definition, deploy deployment redeploy redeployment, destroy destruction, diagnose diagnosis, difficult difficulty,
  emphasize emphasis, enter entry, evolve evolution, exceed excess, expand expansion, expend expense, expire
  expiration expiry, explain explanation, fly flight, free freedom, gift give, grow growth, high height, hot heat,
  hungry hunger, index reindex, injure injury, inquire inquiry, intend intention, judge judgment judgement, know
  knowledge, long length, lose loss, maintain maintenance, marry marriage, mix mixture, occur occurrence, pay
  payment, poor poverty, pronounce pronunciation, proud pride, prove proof, publish publication, receive reception
  receipt, recur recurrence, rely reliance reliable, rent rental, repeat repetition, replicate replica, respond
  response, reveal revelation, safe safety, satisfy satisfaction, sell sale, shrink shrinkage, sign signature, sing
  song, slip slippage, solve solution, speak speech, stable stability, stop stoppage, store storage, strong strength,
  succeed success, synthesize synthesis, true truth truly, use usage, vary variance variation, warm warmth, weigh
  weight, wide width, wise wisdom, young youth,

  - age: block break cover drain leak link mile pack percent post short spill, - ance: clear, - ure: depart fail, -
  y: deliver discover recover, ceive ception: con de per, de sion: colli conclu corro deci divi ero exclu explo inclu
  intru inva persua provi, duce duction: de in intro pro re repro, e age: dos wast, e ance: guid issu, e ure: clos
  disclos enclos eras expos seiz, end ension: compreh ext susp, ify ification: ampl cert clar class ident just mod
  not qual quant rat simpl spec un ver, mit mission: ad e o per sub trans, nt nce: abse prese sile, nt ncy: flue
  freque late tena urge vaca, oke ocation: inv rev, pel pulsion: com ex pro, r rral: defe refe, scribe scription: de
  in pre sub tran, solve solution: dis re, sume sumption: as con pre re, t ttal: commi submi, tain tention: abs de
  re, te cy: accura adequa pira priva, vert version: con di in re, y ial: bur den tr, y ication: appl impl multipl,
  yze yse ysis: anal paral,

  - er est: cheap clean clear cold cool dark deep fast fresh hard high quick sharp short slow small smart soft strong
  thick tight weak, e er est: larg saf simpl wid, y ier iest: earl eas heav, big bigger biggest, hot hotter hottest,
  thin thinner thinnest, - er: build crawl fetch lint load poll read send test watch, e er: bundl handl pars scrap
  trac writ, debug debugger, format formatter, log logger, map mapper, plan planner, scan scanner, wrap wrapper`;
