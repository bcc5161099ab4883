/** English irregular verbs and plurals, whose forms share no stem, and a few German plurals. Pure. */

/**
 * Leaves out forms that are common words in their own right: `ground` rarely comes from "grind". Same notation as in
 * `derivedWords`.
 */
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
