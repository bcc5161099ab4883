/** English irregular verbs and plurals, whose forms share no stem. Pure. */

/** Forms that are common words in their own right are left out: `ground` rarely comes from "grind". */
export const irregularForms = `
  arise arose arisen, awake awoke awoken, become became, begin began begun, bend bent, bind bound, bite bit bitten,
  bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought,
  catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream
  dreamt, drink drank drunk, drive drove driven, dwell dwelt, eat ate eaten, fall fell fallen, feed fed, feel felt,
  fight fought, find found, flee fled, fling flung, fly flew flown, forbid forbade forbidden, foresee foresaw
  foreseen, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given,
  go went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew
  known, lay laid, lead led, lean leant, leap leapt, learn learnt, leave left, lend lent, light lit, lose lost, make
  made, mean meant, meet met, mislead misled, mistake mistook mistaken, misunderstand misunderstood, overcome
  overcame, override overrode overridden, oversee oversaw overseen, overtake overtook overtaken, overwrite overwrote
  overwritten, pay paid, prove proven, rebuild rebuilt, redo redid redone, rerun reran, resend resent, rewrite rewrote
  rewritten, ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell
  sold, send sent, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink
  sank sunk, sit sat, sleep slept, slide slid, smell smelt, speak spoke spoken, speed sped, spell spelt, spend spent,
  spill spilt, spin spun, spoil spoilt, spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting
  stung, strike struck stricken, string strung, strive strove striven, swear swore sworn, sweep swept, swell swollen,
  swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, think thought, throw threw
  thrown, undergo underwent undergone, understand understood, undertake undertook undertaken, undo undid undone,
  unwind unwound, uphold upheld, wake woke woken, wear wore worn, weave wove woven, weep wept, win won, withdraw
  withdrew withdrawn, withhold withheld, withstand withstood, write wrote written,

  analysis analyses, child children, crisis crises, criterion criteria, foot feet, goose geese, half halves,
  hypothesis hypotheses, index indices, knife knives, man men, matrix matrices, mouse mice, person people, phenomenon
  phenomena, shelf shelves, thesis theses, tooth teeth, vertex vertices, wife wives, woman women`;
