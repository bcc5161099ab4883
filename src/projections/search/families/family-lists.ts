/** Words that are forms of one another but share no stem. Data. */

/** `y ial: bur den` is `bury burial, deny denial`; `-` means no ending. Not "older": "the old one" compares nothing. */
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

/** No forms that are common words themselves: `ground` rarely comes from "grind". Same notation as `derivedWords`. */
export const irregularForms = `
  awake awoke awoken, begin began begun, bite bit bitten, break broke broken, bring brought, buy bought, catch
  caught, choose chose chosen, dig dug, drive drove driven, eat ate eaten, fall fell fallen, fight fought, flee fled,
  fly flew flown, forbid forbade forbidden, freeze froze frozen, go went gone, hang hung, hear heard, hide hid
  hidden, know knew known, lay laid, lead led, leave left, light lit, lose lost, make made, meet met, mislead misled,
  misunderstand misunderstood, override overrode overridden, pay paid, prove proven, rerun reran, ride rode ridden,
  run ran, say said, seek sought, sell sold, shine shone, shoot shot, show shown, sit sat, slide slid, speak spoke
  spoken, spill spilt, spin spun, steal stole stolen, stick stuck, strike struck stricken, strive strove striven,
  swell swollen, swim swam swum, teach taught, tell told, think thought, undergo underwent undergone, wake woke
  woken, weave wove woven, win won, - t: burn deal dream lean leap learn mean spoil, ake ook aken: mist overt sh t
  undert, aw ew awn: dr withdr, ear ore orn: sw t w, ee aw een: fores overs s, eed ed: bl br f sp, eel elt: f kn, eep
  ept: cr k sl sw w, ell elt: dw sm sp, end ent: b l res s sp, et ot otten: forg g, ind ound: b f unw, ing ang ung: r
  s spr, ing ung: cl fl st str sw, ink ank unk: dr shr s, ise ose isen: ar r, ite ote itten: overwr rewr wr, ive ave
  iven: forg g, o id one: red und, old eld: h uph withh, ome ame: bec c overc, ow ew own: bl gr thr, tand tood: s
  unders withs, uild uilt: b reb,

  appendix appendices, bus buses, child children, criterion criteria, firma firmen, foot feet, gas gases, goose
  geese, half halves, index indices, is es: analys cris diagnos hypothes parenthes synops thes, knife knives, konto
  konten, kriterium kriterien, man men, matrix matrices, medium media, mouse mice, person people, phenomenon
  phenomena, quiz quizzes, radius radii, risiko risiken, schema schemata, shelf shelves, tag tage, tooth teeth, thema
  themen, vertex vertices, weg wege, wife wives, woman women, zentrum zentren, zug zuge`;

export const shortForms = `
  a11y accessibility, ack acknowledge, ad advertisement, addr address, admin administrator, algo algorithm, app
  application, arg argument, async asynchronous, attr attribute, auth authentication authorization, authn
  authentication, authz authorization, avg average, bg background, bike bicycle, bool boolean, calc calculate, cert
  certificate, char character, cmd command, col column, concat concatenate, config configuration conf cfg, conn
  connection, const constant, cred credential, ctrl control, ctx context, dad father, db database, def definition,
  dep dependency, dept department, desc description, dest dst destination, dev developer development, dict
  dictionary, diff difference, dir directory folder, doc document documentation, dup duplicate, elem element, env
  environment, err error, eval evaluate, exam examination, exec execute, expr expression, ext extension, fmt format,
  fn func function, fridge refrigerator, fs filesystem, gh github, gym gymnasium, i18n internationalization, idx
  index, img image, impl implementation, info information, infra infrastructure, init initialize initialise, int
  integer, intro introduction, js javascript, k8s kube kubernetes, lab laboratory, lang language, len length, lib
  library, math maths mathematics, max maximum, md markdown, mem memory, mgmt management, mgr manager, min minimum,
  mod module, mom mum mother, mongo mongodb, ms millisecond, msg message, ns namespace, num number, obj object, op
  operation, opt option, org organization organisation, param parameter, passwd password pwd pw, perf performance,
  perm permission, pg psql postgres postgresql, phone telephone, photo photograph, pic picture, pkg package, pref
  preference, prev previous, proc process, prod production, prop property, py python, recv receive, ref reference,
  regex regexp, repo repository, repro reproduce, req request, resp response, ret return, rev revision, rm remove,
  sched schedule, seq sequence, spec specification, src source, stats statistics, std standard, stmt statement, str
  string, svc service, sync synchronize, sys system, tech technology, temp temperature, temp tmp temporary, tf
  terraform, tmpl template, ts typescript, tv television, tx txn transaction, tz timezone, uni university, usr user,
  val value, var variable, vec vector, ver version, vet veterinarian, yml yaml`;

/** Same notation as in `derivedWords`. */
export const spellings = `
  ise ize: apolog author categor character container critic custom emphas final general initial local maxim memor
  minim modern normal optim organ parallel parameter priorit random real recogn sanit serial special standard summar
  synchron token util virtual visual, our or: arm behavi col endeav fav flav harb hon hum lab neighb rig rum sav vap,
  re er: cent fib kilomet lit met theat, ogue og: catal dial, favourite favorite, aluminium aluminum, analyse
  analyze, artefact artifact, cosy cozy, defence defense, grey gray, jewellery jewelry, licence license, mould mold,
  moustache mustache, offence offense, plough plow, practise practice, programme program, sceptical skeptical, tyre
  tire,

  january jan, february feb, april apr, august aug, september sept sep, october oct, november nov, december dec,
  monday mon, tuesday tue, wednesday wed, thursday thu, friday fri, two 2, three 3, four 4, five 5, six 6, seven 7,
  eight 8, nine 9, ten 10, eleven 11, twelve 12, twenty 20, thirty 30, forty 40, fifty 50, sixty 60, hundred 100,
  thousand 1000`;
