/** English verbs and adjectives with the nouns derived from them, where the stemmer finds no common stem. Pure. */

export const derivedWords = `
  absorb absorption, accurate accuracy, acquire acquisition, add addition, admit admission, advise advice, agree
  agreement, analyze analyse analysis, angry anger, apply application, argue argument, assume assumption, bear born
  birth, believe belief, broad breadth, certain certainty, choose choice, clarify clarification, classify
  classification, close closure, collide collision, compare comparison, compel compulsion, compete competition, comply
  compliance, conceive conception, conclude conclusion, consume consumption, convert conversion, deceive deception,
  decide decision, deduce deduction, deep depth, defend defense defence, define definition, deliver delivery, deny
  denial, describe description, destroy destruction, diagnose diagnosis, dead death, difficult difficulty,
  disclose disclosure, discover discovery, divide division, emphasize emphasis, employ employment, enter entry, erase
  erasure, erode erosion, evolve evolution, exceed excess, exclude exclusion, expand expansion, expend expense, expire
  expiration expiry, explain explanation, explode explosion, expose exposure, extend extension, fail failure, fly
  flight, free freedom, frequent frequency, give gift, grow growth, high height, hot heat, hungry hunger, identify
  identification, imply implication, include inclusion, injure injury, inquire inquiry, intend intention, introduce
  introduction, invade invasion, invert inversion, judge judgment judgement, justify justification, know knowledge,
  long length, lose loss, maintain maintenance, marry marriage, mix mixture, modify modification, move movement,
  multiply multiplication, notify notification, occur occurrence, omit omission, paralyze paralysis, pay payment,
  perceive perception, permit permission, persuade persuasion, poor poverty, prescribe prescription, private privacy,
  produce production, pronounce pronunciation, proud pride, prove proof, provide provision, qualify qualification,
  quantify quantification, receive reception receipt, recover recovery, recur recurrence, reduce reduction, repeat
  repetition, reproduce reproduction, resolve resolution, respond response, resume resumption, reveal revelation, safe
  safety, satisfy satisfaction, seize seizure, sell sale, sign signature, simplify simplification, sing song, solve
  solution, speak speech, specify specification, stable stability, store storage, strong strength, submit submission,
  subscribe subscription, succeed success, suspend suspension, synthesize synthesis, transcribe transcription,
  transmit transmission, treat treatment, true truth, unify unification, urgent urgency, use usage, vary variation,
  verify verification, warm warmth, weigh weight, wide width, wise wisdom, young youth`;
